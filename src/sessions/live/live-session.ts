/*
 * One session that is not completed. Owns its placement, deadline and saves. Closes itself when the
 * session completes; LiveSessions closes it when the control plane stops.
 *
 * The record is saved before anything is announced.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '#shared/clock.ts';
import type { EndReason } from '#protocol/end-reasons.ts';
import type { Log } from '#shared/log.ts';
import { placementOf } from '#protocol/placement.ts';
import type { ReportedPlacement, Verdict, WorkerReport } from '#protocol/worker/worker-report.ts';
import type { SessionOwnership } from '../../cluster/session-ownership.ts';
import type { SeatSpeech } from '../cluster/messages.ts';
import type { Lease, Placement, SessionFleet } from '../../fleet/fleet.ts';
import type { EndedBy } from '../../records/audit/audit-log.ts';
import type {
  InsertOptions,
  SessionRecord,
  SessionRecords,
} from '../../records/sessions/sessions.ts';
import { SessionDeadline } from './deadlines.ts';
import { advance, type SessionEvent } from '../lifecycle.ts';
import { LiveRecord } from './live-record.ts';
import { SessionPlacement, type PlacementNotice } from '../placement/session-placement.ts';
import type { JobSources } from '../placement/job.ts';
import type { PictureChange } from '../pictures/session-pictures.ts';
import { OutageTracker } from '../recovery/outage-tracker.ts';
import { RetryDelays } from './retry-delays.ts';
import type { SessionEvents } from '../session-events.ts';
import { SessionNotifier, type AgedTimelineEvent } from './session-notifier.ts';
import { videoWith } from '../video.ts';
import { fieldsOf, stateOf } from '../session-state.ts';
import type { SessionTimes } from '../session-times.ts';
import { endPerformance, firstFrame, newHistory, type PerformanceEnd } from './worker-history.ts';

/** Shared by all live sessions of this control plane. */
export type LiveSessionParts = {
  records: SessionRecords;
  fleet: SessionFleet;
  /** Set when several control planes share the sessions. */
  ownership?: SessionOwnership | undefined;
  jobSources: JobSources;
  events: SessionEvents;
  times: SessionTimes;
  clock: Clock;
  log: Log;
};

/** The live sessions that a session belongs to. */
type SessionIndex = {
  /** The session has another lease, or none. `workerId`: that of the previous one. */
  moved(session: LiveSession, workerId: string | undefined): void;
  /** Called once, when the session is completed. */
  remove(record: SessionRecord): void;
  /** Another control plane has placed the session, or it is completed. */
  superseded(session: LiveSession): void;
};

type NewLiveSession = {
  record: SessionRecord;
  /** Null for a session that was recovered from the records. */
  lease: Lease | null;
  index: SessionIndex;
};

/** `by`: the request that asks for it. */
export type End = { at?: number | undefined; by?: EndedBy | undefined };

export class LiveSession {
  readonly #parts: LiveSessionParts;
  readonly #index: SessionIndex;
  readonly #record: LiveRecord;
  readonly #retryDelays: RetryDelays;
  readonly #placement: SessionPlacement;
  readonly #notifier: SessionNotifier;
  readonly #outages: OutageTracker;
  readonly #deadline: SessionDeadline;
  #history = newHistory;
  #formerCreatedAt = -Infinity;
  #isClosed = false;

  constructor({ record, lease, index }: NewLiveSession, parts: LiveSessionParts) {
    this.#parts = parts;
    this.#index = index;
    const { records, clock, times } = parts;
    this.#record = new LiveRecord(record, records);
    this.#retryDelays = new RetryDelays(clock, times.retryMs);
    this.#deadline = new SessionDeadline(clock, times.startMs, () =>
      this.#occur({ type: 'expired', at: clock.now() }, () => true),
    );
    this.#notifier = new SessionNotifier({ ...parts, record: this.#record });
    this.#outages = new OutageTracker({ ...parts, notifier: this.#notifier });
    const onNotice = (notice: PlacementNotice) => this.#onPlacement(notice);
    this.#placement = new SessionPlacement({ record: this.#record, lease, onNotice }, parts);
  }

  get record(): SessionRecord {
    return this.#record.current;
  }

  get lease(): Lease | null {
    return this.#placement.lease;
  }

  get isPlaced(): boolean {
    return this.#placement.lease !== null;
  }

  /** Null: no stream was heard. */
  get speech(): SeatSpeech | null {
    const { openSegments: open } = this.#placement;
    return open && { createdAt: this.record.createdAt, open };
  }

  /**
   * Answers for a session with the same seat in a room, which is about to lose it. With several of
   * them, for the newest.
   */
  takeSpeech({ createdAt, open }: SeatSpeech): void {
    if (createdAt < this.#formerCreatedAt) return;
    this.#formerCreatedAt = createdAt;
    this.#placement.setOpenSegments(open);
  }

  /** Inserts the record of a new session. */
  save(options: InsertOptions): Promise<void> {
    return this.#record.insert(options);
  }

  /** Starts the deadline and assigns the first lease to its worker. */
  begin(): void {
    if (this.#isClosed) return;
    this.#deadline.update(this.record);
    this.#placement.begin();
  }

  /** Undoes a session that could not be saved. */
  async abandon(): Promise<void> {
    const { lease } = this.#placement;
    await this.close();
    if (lease) await this.#parts.fleet.free(lease);
  }

  /** Rejects when the report could not be saved; the worker then repeats it. */
  async handle(placement: ReportedPlacement, report: WorkerReport): Promise<Verdict> {
    if (placement.epoch > this.record.epoch) await this.#checkRecord();
    switch (report.type) {
      case 'started':
      case 'ended':
        return this.#changeState(placement, report);
      case 'renewed':
        return this.#renewToken(placement, report.token);
      case 'noted':
        return this.#recordTimeline(placement, report.happenings);
      case 'speech':
        return this.#now(placement, () => this.#placement.setOpenSegments(report.open));
      case 'released':
        return this.#now(placement, () => {
          this.#outages.handsOver(this.record);
          this.#placement.handle({ type: 'released', epoch: placement.epoch });
        });
      case 'claimed':
        return this.#claim(placement, report.workerId);
      case 'gave_up':
        return this.#giveUp(placement, report);
    }
  }

  /** Another control plane may have placed the session. Rejects if so. */
  async #checkRecord(): Promise<void> {
    const { records, ownership } = this.#parts;
    const { id, epoch } = this.record;
    const record = ownership ? await records.findAny(id) : null;
    if (!record || record.epoch <= epoch) return;
    this.#index.superseded(this);
    throw new Error('another control plane has placed the session');
  }

  /**
   * Rejects when the end could not be saved. The session still ends: the save may have succeeded.
   */
  end(reason: EndReason, { at = this.#parts.clock.now(), by }: End = {}): Promise<void> {
    const event: SessionEvent = { type: 'ended', at, reason };
    const ending = this.#record.inTurn(() => this.#apply(event, 'here', by));
    ending.catch(() => this.#retryDelays.after(() => this.#occur(event, () => true, by)));
    return ending;
  }

  /** Another worker is to take over. */
  moveAway(workerId: string): void {
    if (this.lease?.workerId === workerId) this.#placement.handle({ type: 'worker_leaving' });
  }

  /** The worker does not perform the session. `isSilent`: it may, but does not answer. */
  lost(workerId: string, isSilent = false): void {
    const { lease } = this;
    if (lease?.workerId !== workerId) return;
    this.#occur(this.#endPerformance({ type: 'lost', isSilent }), () => this.lease === lease);
  }

  /** No worker claimed the session after its recovery. One may perform it nevertheless. */
  unclaimed(): void {
    if (!this.#placement.isUnclaimed) return;
    const lossEvent = this.#endPerformance({ type: 'lost', isSilent: true });
    this.#occur(lossEvent, () => this.#placement.isUnclaimed);
  }

  /** Stops timers and searches. The record and the worker's performance continue. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#deadline.close();
    this.#retryDelays.close();
    this.#placement.close();
    await this.#record.settled();
  }

  #changeState(
    placement: ReportedPlacement,
    report: Extract<WorkerReport, { type: 'started' | 'ended' }>,
  ): Promise<Verdict> {
    const reportedAt = Math.round(this.#parts.clock.now() - report.agoMs);
    return this.#record.inTurn(async () => {
      // Checked in turn: the session may move while the report waits.
      if (!this.#record.isHeldBy(placement)) return 'stale';
      // No event is dated before the request, whatever the worker's clock says.
      const at = Math.max(this.record.createdAt, reportedAt);
      if (report.type === 'started') {
        await this.#apply({ type: 'started', at }, 'worker');
        this.#placement.handle({ type: 'shown' });
        this.#history = firstFrame(this.#history, at);
        this.#outages.shown(this.record, at);
      } else {
        await this.#apply(this.#endPerformance({ ...report, at }), 'worker');
      }
      return 'recorded';
    });
  }

  /** Kept for later workers too, except the emotion. */
  changePicture({ emotion, ...scene }: PictureChange): Promise<void> {
    return this.#record.inTurn(async () => {
      if (this.record.status === 'completed') return;
      const video = videoWith(this.record.video, scene);
      if (!isDeepStrictEqual(video, this.record.video)) await this.#record.saveVideo(video);
      const { lease } = this;
      if (!lease) return;
      const { fleet, log } = this.#parts;
      const placement = placementOf(lease);
      const change = { ...scene, ...(emotion !== undefined && { emotion }) };
      await fleet
        .send(lease.workerId, { type: 'change_picture', placement, ...change })
        // The next worker of the session shows it.
        .catch((err: unknown) => log.warn({ ...placement, err }, 'worker not told of the picture'));
    });
  }

  /** The next worker joins with the newest token. */
  #renewToken(placement: ReportedPlacement, token: string): Promise<Verdict> {
    return this.#record.inTurn(async () => {
      if (!this.#record.isHeldBy(placement)) return 'stale';
      const { epoch, renewedToken } = this.record;
      // Workers repeat the token on every connection.
      if (token === renewedToken) return 'recorded';
      await this.#record.saveRenewedToken(token);
      this.#notifier.record({ kind: 'token_renewed', epoch });
      return 'recorded';
    });
  }

  #recordTimeline(placement: ReportedPlacement, reported: AgedTimelineEvent[]): Promise<Verdict> {
    const heardAt = this.#parts.clock.now();
    // In turn: after what the worker reported before.
    return this.#record.inTurn(async () => {
      if (!this.#record.isHeldBy(placement) || this.record.status === 'completed') return 'stale';
      this.#notifier.recordAllReported(reported, heardAt);
      return 'recorded';
    });
  }

  /** Not in turn, so that a slow save delays neither speech nor a handover. */
  async #now(placement: ReportedPlacement, run: () => void): Promise<Verdict> {
    if (!this.#record.isHeldBy(placement)) return 'stale';
    run();
    return 'recorded';
  }

  /** A worker that connects with the newest placement keeps it. */
  async #claim({ sessionId, epoch }: Placement, workerId: string): Promise<Verdict> {
    if (!this.#record.isHeldBy({ sessionId, epoch, workerId })) return 'stale';
    this.#placement.handle({ type: 'claimed', lease: { sessionId, epoch, workerId } });
    this.#outages.returned(this.record);
    return 'recorded';
  }

  async #giveUp(
    { epoch }: Placement,
    { workerId, isSilent = false }: Extract<WorkerReport, { type: 'gave_up' }>,
  ): Promise<Verdict> {
    const { lease } = this;
    if (lease?.workerId !== workerId || lease.epoch !== epoch) return 'stale';
    const at = this.#parts.clock.now();
    this.#notifier.record({ kind: 'given_up', epoch, workerId });
    const end: PerformanceEnd = isSilent ? { type: 'lost', isSilent } : { type: 'gave_up', at };
    this.#occur(this.#endPerformance(end), () => this.lease === lease);
    return 'recorded';
  }

  #onPlacement(notice: PlacementNotice): void {
    switch (notice.type) {
      case 'moved': {
        const { from, to } = notice;
        if (to && to.epoch > this.record.epoch) {
          if (this.record.status === 'ongoing') this.#outages.handsOver(this.record);
          this.#record.moveTo(to);
        }
        return this.#index.moved(this, from?.workerId);
      }
      case 'timeline':
        return this.#notifier.record(notice.event);
      case 'unplaceable': {
        const at = this.#parts.clock.now();
        // A worker that claims the session before the end is saved keeps it.
        this.#occur({ type: 'ended', at, reason: 'worker_lost' }, () => !this.isPlaced);
        return;
      }
      case 'superseded':
        this.#index.superseded(this);
    }
  }

  /** Applies an event that is not repeated from outside: retries until it is saved. */
  #occur(event: SessionEvent, isTrue: () => boolean, by?: EndedBy): void {
    if (this.#isClosed) return;
    const apply = async () => {
      if (isTrue()) await this.#apply(event, 'here', by);
    };
    this.#record.inTurn(apply).catch((error: unknown) => {
      const { id: sessionId } = this.record;
      this.#parts.log.error({ sessionId, err: error }, 'session change not saved');
      this.#retryDelays.after(() => this.#occur(event, isTrue, by));
    });
  }

  /** Call it in turn. `from`: a worker that reported the end itself need not be told. */
  async #apply(event: SessionEvent, from: 'worker' | 'here', by?: EndedBy): Promise<void> {
    const { state, effects } = advance(stateOf(this.record), event);
    for (const effect of effects) {
      switch (effect) {
        case 'save':
          await this.#record.saveState(fieldsOf(state), by);
          this.#deadline.update(this.record);
          break;
        case 'announce':
          this.#notifier.announce();
          break;
        case 'free_slot':
          await this.#over(from);
          break;
        case 'place_again':
          this.#outages.lost(this.record);
          this.#placement.handle({ type: 'lost' });
      }
    }
  }

  #endPerformance(end: PerformanceEnd): SessionEvent {
    const { history, event } = endPerformance(this.#history, end);
    this.#history = history;
    return event;
  }

  async #over(from: 'worker' | 'here'): Promise<void> {
    this.#isClosed = true;
    this.#retryDelays.close();
    this.#index.remove(this.record);
    await this.#placement.end(from === 'here' ? (this.record.endReason ?? 'removed') : null);
  }
}
