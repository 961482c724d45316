/*
 * The sessions of this control plane. Owns every live one and closes them with itself; records, fleet and rooms belong to the app.
 * The gateway reports into here what workers say; the HTTP API opens, finds and ends.
 */
import { createHash } from 'node:crypto';
import type { Clock } from '#shared/clock.ts';
import type { EndReason } from '#shared/end-reasons.ts';
import { newRecordId } from '#shared/ids.ts';
import type { Log } from '#shared/log.ts';
import { Fault } from '../errors.ts';
import type { Fleet, Lease, Placement } from '../fleet/fleet.ts';
import type {
  InsertOptions,
  Page,
  PageRequest,
  SessionRecord,
  SessionRecords,
} from '../records/sessions.ts';
import type { BuiltInRoom, Rooms } from '../rooms/rooms.ts';
import { LiveSession, type Verdict } from './live-session.ts';
import { recoverSessions } from './recovery.ts';
import type { SessionEvents } from './session-events.ts';

export type OpenSession = {
  transport: 'mediaserver';
  /** An avatar's own id, no alias. */
  avatarId: string;
  /** The caller's room, checked; else a fresh one is made. */
  room?: { url: string; token: string };
  video: SessionRecord['video'];
  maxLengthMinutes?: number;
  metadata: Record<string, string>;
  idempotencyKey?: string;
  /** The call whose face this is. */
  callId?: string;
} & Partial<InsertOptions>;

/** What the caller needs to bring an agent and viewers into the room made for the session. */
export type GuestRoom = { url: string; name: string; agentToken: string; viewerToken: string };

export type Opened = {
  session: SessionRecord;
  room?: GuestRoom;
  /** The session was there already: this request said the same as an earlier one. */
  repeated: boolean;
};

export type SessionTimes = {
  /** How long a request waits for a free slot. */
  reserveMs: number;
  /** How long the face may take from the request to its first frame. */
  startMs: number;
  /** How long a session that lost its worker waits for a slot. */
  searchMs: number;
  /** How long workers have to come back after a restart of the control plane. */
  claimMs: number;
  /** How long to wait before a save that failed is tried again. */
  retryMs: number;
};

const usualTimes: SessionTimes = {
  reserveMs: 2_000,
  startMs: 60_000,
  searchMs: 15_000,
  claimMs: 6_000,
  retryMs: 1_000,
};

/** What a caller is told to wait when every slot is taken. */
const RETRY_AFTER_SECONDS = 2;

export type SessionsParts = {
  records: SessionRecords;
  fleet: Fleet;
  rooms: Rooms;
  events: SessionEvents;
  clock: Clock;
  log: Log;
  times?: Partial<SessionTimes>;
};

export class Sessions {
  readonly #parts: SessionsParts;
  readonly #times: SessionTimes;
  readonly #live = new Map<string, LiveSession>();
  /** Requests under way, by what would make another one the same. */
  readonly #openings = new Map<string, Promise<Opened>>();
  readonly #background = new Set<Promise<void>>();
  #stopRecovery: () => void = () => {};

  constructor(parts: SessionsParts) {
    this.#parts = parts;
    this.#times = { ...usualTimes, ...parts.times };
  }

  /** Takes up the sessions that the records know as live. Once, before the gateway lets workers in. */
  async recover(): Promise<void> {
    const { records, clock, log } = this.#parts;
    const revive = (record: SessionRecord) => {
      const session = this.#add(record, null);
      session.begin();
      return session;
    };
    const { claimMs } = this.#times;
    this.#stopRecovery = await recoverSessions({ records, clock, log, claimMs, revive });
  }

  /** Throws `at_capacity` when no slot comes free in time. */
  async open(account: { id: string }, request: OpenSession): Promise<Opened> {
    const { room, idempotencyKey } = request;
    const fingerprint = room ? fingerprintOf(room) : null;
    const names: string[] = [];
    if (fingerprint) names.push(`${account.id} room ${fingerprint}`);
    if (idempotencyKey) names.push(`${account.id} key ${idempotencyKey}`);

    // Two that arrive together: the second would find no record yet, and place a second face. No await before the map is set.
    const earlier = names.map((name) => this.#openings.get(name)).find(Boolean);
    if (earlier) return { ...(await earlier), repeated: true };
    const opening = this.#openOnce(account.id, request, fingerprint);
    for (const name of names) this.#openings.set(name, opening);
    try {
      return await opening;
    } finally {
      for (const name of names) this.#openings.delete(name);
    }
  }

  find(accountId: string, id: string): Promise<SessionRecord | null> {
    return this.#parts.records.find(accountId, id);
  }

  page(accountId: string, request: PageRequest): Promise<Page<SessionRecord>> {
    return this.#parts.records.page(accountId, request);
  }

  /** Ends the session for its caller; one that is over stays as it is. Null when the account has no such session. */
  async end(accountId: string, id: string): Promise<SessionRecord | null> {
    const session = await this.find(accountId, id);
    if (!session) return null;
    await this.#live.get(id)?.end('ended_by_client');
    return this.find(accountId, id);
  }

  /** A worker says that the face is in the room. `agoMs`: how long ago that was. */
  started(placement: Placement, agoMs: number): Promise<Verdict> {
    const at = Math.round(this.#parts.clock.now() - agoMs);
    return this.#report(placement, (session) => session.report(placement, { type: 'started', at }));
  }

  ended(placement: Placement, agoMs: number, reason: EndReason): Promise<Verdict> {
    const at = Math.round(this.#parts.clock.now() - agoMs);
    return this.#report(placement, (session) =>
      session.report(placement, { type: 'ended', at, reason }),
    );
  }

  /**
   * A worker is connected, for the first time or again, and performs these placements. Returns those that it must drop. What it should
   * perform and does not is placed again.
   */
  workerCame(workerId: string, performing: Placement[]): Placement[] {
    const kept = new Set<string>();
    const dropped: Placement[] = [];
    for (const placement of performing) {
      const { sessionId } = placement;
      if (this.#live.get(sessionId)?.claim(placement, workerId)) kept.add(sessionId);
      else dropped.push(placement);
    }
    for (const [id, session] of this.#live) {
      if (!kept.has(id)) session.lost(workerId);
    }
    return dropped;
  }

  /** A worker is gone and did not come back in time. */
  workerLost(workerId: string): void {
    for (const session of this.#live.values()) session.lost(workerId);
  }

  /** Sessions go on in their rooms: the next start finds them in the records. */
  async close(): Promise<void> {
    this.#stopRecovery();
    await Promise.allSettled(this.#openings.values());
    await Promise.all([...this.#live.values()].map((session) => session.close()));
    this.#live.clear();
    await Promise.all(this.#background);
  }

  async #openOnce(
    accountId: string,
    request: OpenSession,
    fingerprint: string | null,
  ): Promise<Opened> {
    const earlier = await this.#findEarlier(accountId, request, fingerprint);
    if (earlier) return { session: earlier, repeated: true };

    const id = newRecordId();
    const lease = await this.#reserve(id, request);
    const made = request.room ? null : await this.#makeRoom(lease);
    const room = made ? { url: made.url, token: made.avatarToken } : request.room;
    if (!room) throw new Error('a session without a room');

    const session = this.#add(
      {
        id,
        accountId,
        transport: request.transport,
        avatarId: request.avatarId,
        roomUrl: room.url,
        roomToken: room.token,
        tokenFingerprint: fingerprint ?? fingerprintOf(room),
        builtInRoom: made?.name ?? null,
        status: 'to_start',
        startedAt: null,
        endedAt: null,
        endReason: null,
        epoch: lease.epoch,
        workerId: lease.workerId,
        video: request.video,
        maxLengthMinutes: request.maxLengthMinutes ?? null,
        metadata: request.metadata,
        idempotencyKey: request.idempotencyKey ?? null,
        callId: request.callId ?? null,
        createdAt: this.#parts.clock.now(),
      },
      lease,
    );
    const { maxLive = null, alongside } = request;
    await this.#save(session, { maxLive, ...(alongside && { alongside }) });
    session.begin();
    return {
      session: session.record,
      ...(made ? { room: guestRoom(made) } : {}),
      repeated: false,
    };
  }

  async #findEarlier(
    accountId: string,
    { idempotencyKey }: OpenSession,
    fingerprint: string | null,
  ): Promise<SessionRecord | null> {
    const { records } = this.#parts;
    const byKey = idempotencyKey
      ? await records.findByIdempotencyKey(accountId, idempotencyKey)
      : null;
    if (byKey || !fingerprint) return byKey;
    return records.findLiveByFingerprint(accountId, fingerprint);
  }

  async #reserve(sessionId: string, { transport, avatarId }: OpenSession): Promise<Lease> {
    const lease = await this.#parts.fleet.reserve(
      { sessionId, epoch: 1 },
      { transport, avatarId },
      { waitMs: this.#times.reserveMs },
    );
    if (!lease) throw new Fault('at_capacity', { retryAfterSeconds: RETRY_AFTER_SECONDS });
    return lease;
  }

  async #makeRoom(lease: Lease): Promise<BuiltInRoom> {
    try {
      return await this.#parts.rooms.create();
    } catch (error) {
      await this.#parts.fleet.free(lease);
      throw error;
    }
  }

  async #save(session: LiveSession, options: InsertOptions): Promise<void> {
    try {
      await session.save(options);
    } catch (error) {
      this.#live.delete(session.record.id);
      await session.abandon();
      this.#closeRoom(session.record);
      throw error;
    }
  }

  #add(record: SessionRecord, lease: Lease | null): LiveSession {
    const { records, fleet, events, clock, log } = this.#parts;
    const { startMs, searchMs, retryMs } = this.#times;
    const onOver = (over: SessionRecord) => {
      this.#live.delete(over.id);
      this.#closeRoom(over);
    };
    const parts = { records, fleet, events, clock, log, startMs, searchMs, retryMs, onOver };
    const session = new LiveSession(record, lease, parts);
    this.#live.set(record.id, session);
    return session;
  }

  async #report(
    { sessionId }: Placement,
    tell: (session: LiveSession) => Promise<Verdict>,
  ): Promise<Verdict> {
    const session = this.#live.get(sessionId);
    return session ? tell(session) : 'stale';
  }

  /** Only rooms of our own making. A media server that is away forgets the room by itself when all have left. */
  #closeRoom({ id: sessionId, builtInRoom }: SessionRecord): void {
    if (builtInRoom === null) return;
    const closing = this.#parts.rooms
      .close(builtInRoom)
      .catch((error: unknown) => this.#parts.log.warn({ sessionId, err: error }, 'room not closed'))
      .finally(() => this.#background.delete(closing));
    this.#background.add(closing);
  }
}

const fingerprintOf = ({ url, token }: { url: string; token: string }): string =>
  createHash('sha256').update(`${url}\n${token}`).digest('hex');

const guestRoom = ({ publicUrl, name, agentToken, viewerToken }: BuiltInRoom): GuestRoom => ({
  url: publicUrl,
  name,
  agentToken,
  viewerToken,
});
