/*
 * The sessions that this control plane owns. Owns every live session and closes it; records, fleet
 * and rooms belong to the app. The gateway reports what workers say; the HTTP API creates, finds
 * and ends sessions.
 */
import type { Clock } from '#shared/clock.ts';
import type { EndReason } from '#protocol/end-reasons.ts';
import type { Log } from '#shared/log.ts';
import type { ReportedPlacement, Verdict, WorkerReport } from '#protocol/worker/worker-report.ts';
import type { Lease, Placement, SessionFleet } from '../fleet/fleet.ts';
import type { SessionOwnership } from '../cluster/session-ownership.ts';
import type { EndedBy } from '../records/audit/audit-log.ts';
import type {
  Page,
  PageRequest,
  SessionFilter,
  SessionRecord,
  SessionRecords,
} from '../records/sessions/sessions.ts';
import type { Canary } from './canary/canary.ts';
import type { LivePlace } from './reconciliation/diff.ts';
import type { JobSources } from './placement/job.ts';
import { LiveSession, type End } from './live/live-session.ts';
import { LiveSessions } from './live/live-sessions.ts';
import { SessionCreation, type Opened, type OpenSession } from './creation/session-creation.ts';
import type { SessionEvents } from './session-events.ts';
import { relayOf, type RoomMakers } from './creation/session-room.ts';
import { usualTimes, type SessionTimes } from './session-times.ts';
import { SessionRecovery } from './recovery/session-recovery.ts';

export type { GuestRoom, OpenSession } from './creation/session-creation.ts';
export type { SessionTimes } from './session-times.ts';

type SessionsParts = RoomMakers & {
  records: SessionRecords;
  fleet: SessionFleet;
  /** Set when several control planes share the sessions. */
  ownership?: SessionOwnership | undefined;
  jobSources: JobSources;
  /** Undefined: no pool is ever on trial. */
  canary?: Canary | undefined;
  events: SessionEvents;
  clock: Clock;
  log: Log;
  times?: Partial<SessionTimes>;
};

/** A session around its end. Both are equal if it had already ended. */
export type EndedSession = { before: SessionRecord; after: SessionRecord };

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
    parts.ownership?.onTakenOver((id) => this.#letGo(id));
    this.#creation = new SessionCreation({
      ...parts,
      reserveMs: this.#times.reserveMs,
      add: (record, lease) => this.#add(record, lease),
      remove: (session) => this.#over(session),
      // With several control planes only the records know all sessions.
      mayBeTaken: (accountId, fingerprint) =>
        parts.ownership !== undefined || this.#live.hasRoom(accountId, fingerprint),
    });
    this.#recovery = new SessionRecovery({
      ...parts,
      ...this.#times,
      live: this.#live,
      add: (record) => this.#add(record, null),
    });
  }

  /** Recovers live sessions that no other control plane owns. Call it before the gateway opens. */
  recover(): Promise<void> {
    return this.#recovery.recover();
  }

  /** Recovers the sessions of a control plane that is gone. */
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

  /**
   * Ends the session for its caller; a completed one stays as it is. Null when the account has no such
   * session. `by`: for the audit log.
   */
  async end(accountId: string, id: string, by?: EndedBy): Promise<EndedSession | null> {
    const before = await this.find(accountId, id);
    if (!before) return null;
    await this.#live.get(id)?.end('ended_by_client', { by });
    const after = await this.find(accountId, id);
    return after && { before, after };
  }

  has(id: string): boolean {
    return this.#live.has(id);
  }

  /** Rejects when the report could not be saved; the worker then repeats it. */
  async handle(placement: ReportedPlacement, report: WorkerReport): Promise<Verdict> {
    const { sessionId } = placement;
    // The owner is gone and no control plane has recovered the session yet.
    if (report.type === 'claimed' && this.#parts.ownership && !this.has(sessionId))
      await this.#recovery.adoptById(sessionId);
    return this.#live.get(sessionId)?.handle(placement, report) ?? 'stale';
  }

  /** The worker connected and performs exactly these; places its other sessions again. */
  workerCame(workerId: string, performing: Placement[]): void {
    const performed = new Map(performing.map(({ sessionId, epoch }) => [sessionId, epoch]));
    for (const session of this.#live.ofWorker(workerId)) {
      const { id, epoch } = session.record;
      if (performed.get(id) !== epoch) session.lost(workerId);
    }
  }

  /** The worker is about to exit; its sessions move. Repeated until it is gone. */
  workerLeaves(workerId: string): void {
    for (const session of this.#live.ofWorker(workerId)) session.moveAway(workerId);
  }

  /** The worker stays, but these sessions of it are to move. */
  moveAway(workerId: string, sessionIds: string[]): void {
    for (const id of sessionIds) this.#live.get(id)?.moveAway(workerId);
  }

  /** The worker did not reconnect in time. `isSilent`: its connection stood, without a message. */
  workerLost(workerId: string, isSilent = false): void {
    for (const session of this.#live.ofWorker(workerId)) session.lost(workerId, isSilent);
  }

  /** Detects workers whose disconnect was not reported. */
  lookForWorkers(): void {
    this.#recovery.lookForWorkers();
  }

  /** All live sessions, for the reconciler. */
  places(): LivePlace[] {
    return [...this.#live.values()].map(({ record: { id, epoch, builtInRoom }, lease }) => ({
      id,
      epoch,
      builtInRoom,
      lease,
    }));
  }

  /** Recovers a session that only the records know. False: another control plane may own it. */
  adopt(record: SessionRecord, isWorkerHere: boolean): Promise<boolean> {
    return this.#recovery.adopt(record, isWorkerHere);
  }

  /** The lease's worker does not perform the session, or is silent. False: not owned here. */
  lost({ sessionId, workerId }: Lease, isSilent = false): boolean {
    const session = this.#live.get(sessionId);
    session?.lost(workerId, isSilent);
    return session !== undefined;
  }

  async endHere(id: string, reason: EndReason, end?: End): Promise<void> {
    await this.#live.get(id)?.end(reason, end);
  }

  /** A single control plane owns all sessions. */
  endAnywhere(id: string, reason: EndReason, at: number): Promise<void> {
    return this.endHere(id, reason, { at });
  }

  /** Sessions continue in their rooms; the next start recovers them from the records. */
  async close(): Promise<void> {
    this.#recovery.close();
    await this.#creation.settled();
    await Promise.all([...this.#live.values()].map((session) => session.close()));
    this.#live.clear();
    await Promise.all(this.#background);
  }

  #add(record: SessionRecord, lease: Lease | null): LiveSession {
    const session = new LiveSession(record, lease, {
      ...this.#parts,
      times: this.#times,
      onMoved: (...moved) => this.#live.moved(...moved),
      onOver: (over) => this.#over(over),
    });
    this.#live.add(session);
    this.#updateOwnership(record.id, (ownership) => ownership.claim(record.id));
    return session;
  }

  /** Not awaited: SessionOwnership repeats what failed when Redis is back. */
  #updateOwnership(
    sessionId: string,
    update: (ownership: SessionOwnership) => Promise<unknown>,
  ): void {
    const { ownership, log } = this.#parts;
    if (!ownership) return;
    update(ownership).catch((error: unknown) =>
      log.warn({ sessionId, err: error }, 'session ownership not updated'),
    );
  }

  /** Another control plane took the session over while this one, or Redis, was away. */
  #letGo(id: string): void {
    const session = this.#live.get(id);
    if (!session) return;
    this.#live.delete(id);
    this.#parts.log.warn({ sessionId: id }, 'session is owned by another control plane');
    this.#inBackground(session.close());
  }

  #over(session: SessionRecord): void {
    this.#live.delete(session.id);
    this.#updateOwnership(session.id, (ownership) => ownership.release(session.id));
    this.#closeRooms(session);
  }

  /** Only rooms of ours. The media server removes an empty room itself if this fails. */
  #closeRooms(session: SessionRecord): void {
    const { rooms, botrooms, log } = this.#parts;
    const { id: sessionId, builtInRoom, endReason } = session;
    const close = (closing: Promise<void>) =>
      this.#inBackground(
        closing.catch((error: unknown) => log.warn({ sessionId, err: error }, 'room not closed')),
      );
    if (builtInRoom !== null) close(rooms.close(builtInRoom));
    const relay = relayOf(session);
    if (relay) close(botrooms.end(relay, endReason ?? 'removed'));
  }

  #inBackground(work: Promise<void>): void {
    const running = work.finally(() => this.#background.delete(running));
    this.#background.add(running);
  }
}
