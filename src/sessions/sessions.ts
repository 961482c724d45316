/*
 * The sessions of this control plane. Owns every live one and closes them with itself; records, fleet and rooms belong to the app.
 * The gateway reports into here what workers say; the HTTP API opens, finds and ends.
 */
import type { Clock } from '#shared/clock.ts';
import type { EndReason } from '#protocol/end-reasons.ts';
import type { Log } from '#shared/log.ts';
import type { Fleet, Lease, Placement } from '../fleet/fleet.ts';
import type { SessionOwnership } from '../cluster/session-ownership.ts';
import type {
  Page,
  PageRequest,
  SessionFilter,
  SessionRecord,
  SessionRecords,
} from '../records/sessions/sessions.ts';
import type { Rooms } from '../rooms/rooms.ts';
import type { LivePlace } from './reconciliation/diff.ts';
import { LiveSession, type LiveSessionParts, type Verdict } from './live-session.ts';
import { LiveSessions } from './live-sessions.ts';
import { SessionCreation, type Opened, type OpenSession } from './session-creation.ts';
import type { SessionEvents } from './session-events.ts';
import type { AgedTimelineEvent } from './session-notifier.ts';
import { usualTimes, type SessionTimes } from './session-times.ts';
import { SessionRecovery } from './recovery/session-recovery.ts';

export type { GuestRoom, OpenSession } from './session-creation.ts';
export type { SessionTimes } from './session-times.ts';

export type SessionsParts = {
  records: SessionRecords;
  fleet: Fleet;
  /** Where several control planes share the sessions. */
  ownership?: SessionOwnership | undefined;
  rooms: Rooms;
  events: SessionEvents;
  clock: Clock;
  log: Log;
  times?: Partial<SessionTimes>;
};

export class Sessions {
  readonly #parts: SessionsParts;
  readonly #times: SessionTimes;
  readonly #live = new LiveSessions();
  readonly #creation: SessionCreation;
  readonly #background = new Set<Promise<void>>();
  readonly #recovery: SessionRecovery;

  constructor(parts: SessionsParts) {
    this.#parts = parts;
    this.#times = { ...usualTimes, ...parts.times };
    parts.ownership?.onElsewhere((id) => this.#letGo(id));
    this.#creation = new SessionCreation({
      ...parts,
      reserveMs: this.#times.reserveMs,
      add: (record, lease) => this.#add(record, lease),
      remove: (session) => this.#over(session),
      // Where other control planes have sessions too, only the records know.
      mayBeTaken: (accountId, fingerprint) =>
        parts.ownership !== undefined || this.#live.hasRoom(accountId, fingerprint),
    });
    this.#recovery = new SessionRecovery({
      ...parts,
      ...this.#times,
      live: this.#live,
      add: (record) => this.#add(record, null),
      isOurs: (record) => this.#isOurs(record),
      claim: (placement, workerId) => this.claim(placement, workerId),
    });
  }

  /** Takes up the sessions that the records know as live, but for those of other control planes. Once, before the gateway lets workers in. */
  recover(): Promise<void> {
    return this.#recovery.recover();
  }

  /** Another control plane is gone: its sessions live here from now on. */
  takeOver(node: string): Promise<void> {
    return this.#recovery.takeOver(node);
  }

  /** Throws `at_capacity` when no slot comes free in time. */
  open(account: { id: string }, request: OpenSession): Promise<Opened> {
    return this.#creation.open(account.id, request);
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

  /** How much was heard of each segment of speech that the session's agent waits for, in seconds. */
  spoke(placement: Placement, open: number[]): void {
    this.#live.get(placement.sessionId)?.spoke(placement, open);
  }

  /** What happened in the session, by its worker's word. */
  noted(placement: Placement, happenings: AgedTimelineEvent[]): void {
    this.#live.get(placement.sessionId)?.noted(placement, happenings);
  }

  /** The media server gave the session's face a newer room token. */
  async renewed(placement: Placement, token: string): Promise<void> {
    await this.#live.get(placement.sessionId)?.renewToken(placement, token);
  }

  /** The session's worker has fallen silent, as it was asked to. */
  released(placement: Placement): void {
    this.#live.get(placement.sessionId)?.released(placement);
  }

  /** A worker that has accepted the session cannot show its face. */
  gaveUp(placement: Placement, workerId: string): void {
    this.#live.get(placement.sessionId)?.gaveUp(placement, workerId);
  }

  /**
   * A worker is connected, for the first time or again, and performs these placements. Returns those that it must drop. What it should
   * perform and does not is placed again.
   */
  workerCame(workerId: string, performing: Placement[]): Placement[] {
    this.workerPerforms(workerId, performing);
    return performing.filter((placement) => !this.claim(placement, workerId));
  }

  has(id: string): boolean {
    return this.#live.has(id);
  }

  /** A worker is there and performs this placement. False: it is to drop it. */
  claim(placement: Placement, workerId: string): boolean {
    return this.#live.get(placement.sessionId)?.claim(placement, workerId) ?? false;
  }

  /** The same of a session that may live nowhere: its control plane is gone, and nobody has taken it up yet. */
  async claimOrAdopt(placement: Placement, workerId: string): Promise<boolean> {
    const { sessionId } = placement;
    if (!this.#live.has(sessionId)) await this.#recovery.adoptById(sessionId);
    return this.claim(placement, workerId);
  }

  /** What a worker should perform, and does not, is placed again. */
  workerPerforms(workerId: string, performing: Placement[]): void {
    const performed = new Map(performing.map(({ sessionId, epoch }) => [sessionId, epoch]));
    for (const session of this.#live.ofWorker(workerId)) {
      const { id, epoch } = session.record;
      if (performed.get(id) !== epoch) session.lost(workerId);
    }
  }

  /** A worker is about to exit: its sessions go on elsewhere. It says so again as long as it is there. */
  workerLeaves(workerId: string): void {
    for (const session of this.#live.ofWorker(workerId)) session.moveAway(workerId);
  }

  /** A worker is gone and did not come back in time. `isSilent`: it said nothing any more, but its connection stood. */
  workerLost(workerId: string, isSilent = false): void {
    for (const session of this.#live.ofWorker(workerId)) session.lost(workerId, isSilent);
  }

  /** What was told of workers may have been lost. */
  lookForWorkers(): void {
    this.#recovery.lookForWorkers();
  }

  /** Where every live session is, for the audit. */
  places(): LivePlace[] {
    return [...this.#live.values()].map(({ record: { id, epoch, builtInRoom }, lease }) => ({
      id,
      epoch,
      builtInRoom,
      lease,
    }));
  }

  /** Takes up a session that the records know as live and that is nowhere. False: it may live at another control plane. */
  adopt(record: SessionRecord, isWorkerHere: boolean): Promise<boolean> {
    return this.#recovery.adopt(record, isWorkerHere);
  }

  /** The worker of this lease does not perform the session; `isSilent`: or nobody knows. False: it lives elsewhere. */
  lost({ sessionId, workerId }: Lease, isSilent = false): boolean {
    const session = this.#live.get(sessionId);
    session?.lost(workerId, isSilent);
    return session !== undefined;
  }

  /** Ends a session for a reason of our own. */
  async endHere(id: string, reason: EndReason, at?: number): Promise<void> {
    await this.#live.get(id)?.end(reason, at);
  }

  /** One control plane has them all. */
  endAnywhere(id: string, reason: EndReason, at: number): Promise<void> {
    return this.endHere(id, reason, at);
  }

  /** Sessions go on in their rooms: the next start finds them in the records. */
  async close(): Promise<void> {
    this.#recovery.close();
    await this.#creation.settled();
    await Promise.all([...this.#live.values()].map((session) => session.close()));
    this.#live.clear();
    await Promise.all(this.#background);
  }

  #add(record: SessionRecord, lease: Lease | null): LiveSession {
    const { records, fleet, events, clock, log } = this.#parts;
    const { startMs, searchMs, retryMs } = this.#times;
    const onOver = (over: SessionRecord) => this.#over(over);
    const onMoved: LiveSessionParts['onMoved'] = (...moved) => this.#live.moved(...moved);
    const isOurs = async () => !this.#live.has(record.id) || (await this.#isOurs(record));
    const parts = {
      records,
      fleet,
      events,
      clock,
      log,
      startMs,
      searchMs,
      retryMs,
      isOurs,
      onMoved,
      onOver,
    };
    const session = new LiveSession(record, lease, parts);
    this.#live.add(session);
    this.#tellOwnership(record.id, (ownership) => ownership.settle(record.id));
    return session;
  }

  /** Another control plane may have it, or take it up at this very moment. */
  async #isOurs({ id }: SessionRecord): Promise<boolean> {
    return (await this.#parts.ownership?.settle(id)) ?? true;
  }

  /** Nobody waits for it: what was not told is told when Redis comes back. */
  #tellOwnership(sessionId: string, tell: (ownership: SessionOwnership) => Promise<unknown>): void {
    const { ownership, log } = this.#parts;
    if (!ownership) return;
    tell(ownership).catch((error: unknown) => log.warn({ sessionId, err: error }, 'home not told'));
  }

  /** Another control plane has taken it up while this one, or Redis, was away. */
  #letGo(id: string): void {
    const session = this.#live.get(id);
    if (!session) return;
    this.#live.delete(id);
    this.#parts.log.warn({ sessionId: id }, 'session lives elsewhere');
    const closing = session.close().finally(() => this.#background.delete(closing));
    this.#background.add(closing);
  }

  #over(session: SessionRecord): void {
    this.#live.delete(session.id);
    this.#tellOwnership(session.id, (ownership) => ownership.leave(session.id));
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
