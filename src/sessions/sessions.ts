/*
 * The sessions of this control plane. Owns every live one and closes them with itself; records, fleet and rooms belong to the app.
 * The gateway reports into here what workers say; the HTTP API opens, finds and ends.
 */
import type { Clock } from '#shared/clock.ts';
import type { EndReason } from '#shared/end-reasons.ts';
import type { Log } from '#shared/log.ts';
import type { Fleet, Lease, Placement } from '../fleet/fleet.ts';
import type {
  Page,
  PageRequest,
  SessionFilter,
  SessionRecord,
  SessionRecords,
} from '../records/sessions.ts';
import type { Rooms } from '../rooms/rooms.ts';
import { LiveSession, type Verdict } from './live-session.ts';
import { Openings, type Opened, type OpenSession } from './openings.ts';
import { recoverSessions } from './recovery.ts';
import type { SessionEvents } from './session-events.ts';

export type { GuestRoom, OpenSession } from './openings.ts';

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
  readonly #openings: Openings;
  readonly #background = new Set<Promise<void>>();
  #stopRecovery: () => void = () => {};

  constructor(parts: SessionsParts) {
    this.#parts = parts;
    this.#times = { ...usualTimes, ...parts.times };
    this.#openings = new Openings({
      ...parts,
      reserveMs: this.#times.reserveMs,
      add: (record, lease) => this.#add(record, lease),
      remove: (session) => this.#over(session),
    });
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
  open(account: { id: string }, request: OpenSession): Promise<Opened> {
    return this.#openings.open(account.id, request);
  }

  find(accountId: string, id: string): Promise<SessionRecord | null> {
    return this.#parts.records.find(accountId, id);
  }

  page(
    accountId: string,
    request: PageRequest,
    filter?: SessionFilter,
  ): Promise<Page<SessionRecord>> {
    return this.#parts.records.page(accountId, request, filter);
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

  /** The media server gave the session's face a newer room token. */
  async renewed(placement: Placement, token: string): Promise<void> {
    await this.#live.get(placement.sessionId)?.renewToken(placement, token);
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
    await this.#openings.settled();
    await Promise.all([...this.#live.values()].map((session) => session.close()));
    this.#live.clear();
    await Promise.all(this.#background);
  }

  #add(record: SessionRecord, lease: Lease | null): LiveSession {
    const { records, fleet, events, clock, log } = this.#parts;
    const { startMs, searchMs, retryMs } = this.#times;
    const onOver = (over: SessionRecord) => this.#over(over);
    const parts = { records, fleet, events, clock, log, startMs, searchMs, retryMs, onOver };
    const session = new LiveSession(record, lease, parts);
    this.#live.set(record.id, session);
    return session;
  }

  #over(session: SessionRecord): void {
    this.#live.delete(session.id);
    this.#closeRoom(session);
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
