/*
 * From a request to a session: its slot, its room, its record, in this order. What a later step cannot do is undone by the earlier ones. A
 * request that says the same as an earlier one, by its room or its idempotency key, meets that session.
 */
import { createHash } from 'node:crypto';
import type { Clock } from '#shared/clock.ts';
import { newRecordId } from '#shared/ids.ts';
import type { RoomSignal } from '#shared/room-signals.ts';
import { Fault } from '../errors.ts';
import type { Fleet, Lease } from '../fleet/fleet.ts';
import type { Transaction } from '../records/database.ts';
import { SessionExists, type SessionRecord, type SessionRecords } from '../records/sessions.ts';
import type { BuiltInRoom, RoomIdentities, Rooms } from '../rooms/rooms.ts';
import type { LiveSession } from './live-session.ts';

export type OpenSession = {
  transport: 'mediaserver';
  /** An avatar's own id, no alias. */
  avatarId: string;
  /** The caller's room, checked; else a fresh one is made. */
  room?: { url: string; token: string };
  /** Who meets in the fresh room. */
  identities?: RoomIdentities;
  video: SessionRecord['video'];
  maxLengthMinutes?: number;
  metadata: Record<string, string>;
  idempotencyKey?: string;
  /** The call whose face this is. */
  callId?: string;
  /** What the agent may tell the face in the room. */
  signals?: RoomSignal[];
  /** How many sessions the account may have that are not completed; null: any number. */
  maxLive?: number | null;
  /** Throws what stands in the way of a new session, before a slot is taken for it. Not asked when the session is there already. */
  admit?: () => Promise<void>;
  /** Writes what must be there with the session, or not at all. */
  alongside?: (trx: Transaction, session: SessionRecord, room: GuestRoom | null) => Promise<void>;
};

/** What the caller needs to bring an agent and viewers into the room made for the session. */
export type GuestRoom = { url: string; name: string; agentToken: string; viewerToken: string };

export type Opened = {
  session: SessionRecord;
  room?: GuestRoom;
  /** The session was there already: this request said the same as an earlier one. */
  repeated: boolean;
};

export type OpeningsParts = {
  records: SessionRecords;
  fleet: Fleet;
  rooms: Rooms;
  clock: Clock;
  /** How long a request waits for a free slot. */
  reserveMs: number;
  /** Makes the session known; what a worker says about it finds it from now on. */
  add: (record: SessionRecord, lease: Lease) => LiveSession;
  /** It could not be saved: undoes `add`, and closes its room. */
  remove: (session: SessionRecord) => void;
};

/** What a caller is told to wait when every slot is taken. */
const RETRY_AFTER_SECONDS = 2;

export class Openings {
  readonly #parts: OpeningsParts;
  /** Requests under way, by what would make another one the same. */
  readonly #running = new Map<string, Promise<Opened>>();

  constructor(parts: OpeningsParts) {
    this.#parts = parts;
  }

  /** Throws `at_capacity` when no slot comes free in time. */
  async open(accountId: string, request: OpenSession): Promise<Opened> {
    const { room, idempotencyKey } = request;
    const fingerprint = room ? fingerprintOf(room) : null;
    const names: string[] = [];
    if (fingerprint) names.push(`${accountId} room ${fingerprint}`);
    if (idempotencyKey) names.push(`${accountId} key ${idempotencyKey}`);

    // Two that arrive together: the second would find no record yet, and place a second face. No await before the map is set.
    const earlier = names.map((name) => this.#running.get(name)).find(Boolean);
    if (earlier) return { ...(await earlier), repeated: true };
    const opening = this.#openOnce(accountId, request, fingerprint);
    for (const name of names) this.#running.set(name, opening);
    try {
      return await opening;
    } finally {
      for (const name of names) this.#running.delete(name);
    }
  }

  /** Resolves when none is under way any more. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#running.values());
  }

  async #openOnce(
    accountId: string,
    request: OpenSession,
    fingerprint: string | null,
  ): Promise<Opened> {
    const same = [accountId, request, fingerprint] as const;
    const earlier = await this.#findEarlier(...same);
    if (earlier) return { session: earlier, repeated: true };

    await request.admit?.();
    const id = newRecordId();
    const lease = await this.#reserve(id, request);
    const made = request.room ? null : await this.#makeRoom(lease, request.identities);
    const room = made ? { url: made.url, token: made.avatarToken } : request.room;
    if (!room) throw new Error('a session without a room');

    const session = this.#parts.add(
      {
        id,
        accountId,
        transport: request.transport,
        avatarId: request.avatarId,
        roomUrl: room.url,
        roomToken: room.token,
        renewedToken: null,
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
        signals: request.signals ?? [],
        createdAt: this.#parts.clock.now(),
      },
      lease,
    );
    const guests = made && guestRoom(made);
    try {
      await this.#save(session, request, guests);
    } catch (error) {
      // Another control plane was faster with the same key.
      const first = error instanceof SessionExists ? await this.#findEarlier(...same) : null;
      if (!first) throw error;
      return { session: first, repeated: true };
    }
    session.begin();
    return { session: session.record, ...(guests && { room: guests }), repeated: false };
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
      { waitMs: this.#parts.reserveMs },
    );
    if (!lease) throw new Fault('at_capacity', { retryAfterSeconds: RETRY_AFTER_SECONDS });
    return lease;
  }

  async #makeRoom(lease: Lease, identities: RoomIdentities | undefined): Promise<BuiltInRoom> {
    try {
      return await this.#parts.rooms.create(identities);
    } catch (error) {
      await this.#parts.fleet.free(lease);
      throw error;
    }
  }

  async #save(
    session: LiveSession,
    { maxLive = null, alongside }: OpenSession,
    room: GuestRoom | null,
  ): Promise<void> {
    const { record } = session;
    try {
      await session.save({
        maxLive,
        ...(alongside && { alongside: (trx) => alongside(trx, record, room) }),
      });
    } catch (error) {
      this.#parts.remove(record);
      await session.abandon();
      throw error;
    }
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
