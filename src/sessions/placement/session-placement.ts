/* Performs the effects of one live session's placement. The session owns it and closes it. */
import type { Clock } from '#shared/clock.ts';
import type { EndReason } from '#protocol/end-reasons.ts';
import type { Log } from '#shared/log.ts';
import type { TimelineEvent } from '#protocol/timeline.ts';
import type { SessionOwnership } from '../../cluster/session-ownership.ts';
import type { Assignment, Lease, SessionFleet } from '../../fleet/fleet.ts';
import { claimOwnership } from '../cluster/claim-ownership.ts';
import type { LiveRecord } from '../live/live-record.ts';
import type { SessionTimes } from '../session-times.ts';
import { placementOf } from '#protocol/placement.ts';
import { advancePlacement } from './advance-placement.ts';
import { jobOf, requirementsOf, type JobSources } from './job.ts';
import {
  leaseOf,
  type PlacementEffect,
  type PlacementEvent,
  type PlacementState,
} from './placement-state.ts';

export type PlacementNotice =
  /** The session has another lease, or none. */
  | { type: 'moved'; from: Lease | null; to: Lease | null }
  /** For the timeline. */
  | { type: 'timeline'; event: TimelineEvent }
  /** No worker can perform the session. */
  | { type: 'unplaceable' }
  /** Another control plane placed the session first. */
  | { type: 'superseded' };

type NewPlacement = {
  record: LiveRecord;
  /** Null for a session that was recovered from the records. */
  lease: Lease | null;
  onNotice: (notice: PlacementNotice) => void;
};

type SessionPlacementParts = {
  fleet: SessionFleet;
  /** Set when several control planes share the sessions. */
  ownership?: SessionOwnership | undefined;
  jobSources: JobSources;
  times: Pick<SessionTimes, 'searchMs' | 'retryMs'>;
  clock: Clock;
  log: Log;
};

export class SessionPlacement {
  readonly #parts: NewPlacement & SessionPlacementParts;
  #state: PlacementState;
  /** For the next worker. */
  #openSegments: number[] | null = null;
  /** Requests run one after another: two for one epoch could not be told apart. */
  #reserving: Promise<void> = Promise.resolve();
  #cancelReserve = new AbortController();
  #stopTimer: () => void = () => {};

  constructor(placement: NewPlacement, parts: SessionPlacementParts) {
    const { record, lease } = placement;
    this.#parts = { ...placement, ...parts };
    const { epoch } = record.current;
    this.#state = lease
      ? { type: 'placed', epoch, former: null, lease, search: null }
      : { type: 'unclaimed', epoch, former: null };
  }

  get lease(): Lease | null {
    return leaseOf(this.#state);
  }

  get isUnclaimed(): boolean {
    return this.#state.type === 'unclaimed';
  }

  /** Seconds heard of each open speech segment. Null: no stream was heard. */
  get openSegments(): number[] | null {
    return this.#openSegments;
  }

  setOpenSegments(open: number[]): void {
    this.#openSegments = open;
  }

  /** The record was inserted with its first lease. */
  begin(): void {
    const { lease } = this.#parts;
    if (lease) this.handle({ type: 'saved', lease });
  }

  handle(event: PlacementEvent): void {
    const { record, clock, log, times, onNotice } = this.#parts;
    const previousState = this.#state;
    const { state, effects } = advancePlacement(previousState, event, {
      ...times,
      at: clock.elapsed(),
    });
    this.#state = state;

    const isNewSearch =
      state.type === 'searching' && !('search' in previousState && previousState.search);
    if (isNewSearch) {
      const { id: sessionId, epoch, workerId } = record.current;
      log.warn({ sessionId, epoch, workerId }, 'session needs another slot');
    }
    const [from, to] = [leaseOf(previousState), leaseOf(state)];
    if (from !== to) onNotice({ type: 'moved', from, to });
    for (const effect of effects) this.#perform(effect);
  }

  close(): void {
    this.handle({ type: 'closed' });
  }

  /**
   * Frees the slot. With `reason`, tells the worker to leave the room. Does not reject, because the
   * end is saved: the fleet repeats what it could not free, and the reconciler makes the worker
   * drop the session.
   */
  async end(reason: EndReason | null): Promise<void> {
    const { fleet } = this.#parts;
    const lease = this.lease ?? (this.isUnclaimed ? this.#recordedLease : null);
    this.handle({ type: 'ended' });
    if (!lease) return;
    const log = (failure: string) => (error: unknown) => this.#logError(error, failure);
    if (reason) {
      const order = { type: 'end', placement: placementOf(lease), reason } as const;
      await fleet.send(lease.workerId, order).catch(log('worker not told of the end'));
    }
    await fleet.free(lease).catch(log('slot not freed'));
  }

  /** The fleet may hold this slot for an unclaimed session. */
  get #recordedLease(): Lease | null {
    const { id: sessionId, epoch, workerId } = this.#parts.record.current;
    return workerId === null ? null : { sessionId, epoch, workerId };
  }

  #perform(effect: PlacementEffect): void {
    const { fleet, clock, onNotice } = this.#parts;
    switch (effect.type) {
      case 'reserve':
        return this.#reserve(effect);
      case 'cancel_reserve':
        return this.#cancelReserve.abort();
      case 'confirm_owner':
        return this.#inBackground(this.#confirmOwner(), 'owner not confirmed');
      case 'hold':
        return this.#inBackground(fleet.hold(effect.lease), 'slot not held');
      case 'free':
        return this.#inBackground(fleet.free(effect.lease), 'slot not freed');
      case 'save':
        return this.#inBackground(this.#save(effect.lease), 'placement not saved');
      case 'assign':
        return this.#inBackground(this.#assign(effect.lease), 'session not assigned');
      case 'release':
        return this.#inBackground(this.#release(effect), 'release not requested');
      case 'drop':
        return this.#inBackground(this.#drop(effect.lease), 'drop not sent');
      case 'record_wait':
        return onNotice({
          type: 'timeline',
          event: { kind: 'queued', waitedMs: effect.waitedMs },
        });
      case 'start_timer':
        this.#stopTimer();
        this.#stopTimer = clock.after(effect.ms, () => this.handle({ type: 'timer' }));
        return;
      case 'stop_timer':
        return this.#stopTimer();
      case 'report_unplaceable':
        return onNotice({ type: 'unplaceable' });
      case 'report_superseded':
        return onNotice({ type: 'superseded' });
    }
  }

  #reserve(request: Extract<PlacementEffect, { type: 'reserve' }>): void {
    const cancel = new AbortController();
    this.#cancelReserve = cancel;
    const run = async () => {
      const event = await this.#tryToReserve(request, cancel.signal);
      if (!cancel.signal.aborted) return this.handle(event);
      // The slot came free in the same moment as it was no longer needed.
      if (event.type === 'reserved' && event.lease)
        this.#perform({ type: 'free', lease: event.lease });
    };
    this.#reserving = this.#reserving
      .then(run)
      .catch((error: unknown) => this.#logError(error, 'placement failed'));
  }

  async #tryToReserve(
    { epoch, waitMs, checksOwner }: Extract<PlacementEffect, { type: 'reserve' }>,
    signal: AbortSignal,
  ): Promise<PlacementEvent> {
    const { record, ownership, fleet } = this.#parts;
    const session = record.current;
    const { id: sessionId, accountId: account } = session;
    try {
      if (signal.aborted) return { type: 'reserved', lease: null };
      if (checksOwner && !(await claimOwnership(ownership, sessionId)))
        return { type: 'not_owned' };
      if (signal.aborted) return { type: 'reserved', lease: null };
      const options = { waitMs, account, isUrgent: true, signal };
      const lease = await fleet.reserve({ sessionId, epoch }, requirementsOf(session), options);
      return { type: 'reserved', lease };
    } catch (error) {
      this.#logError(error, 'slot not reserved');
      return { type: 'reserve_failed' };
    }
  }

  async #confirmOwner(): Promise<void> {
    const { record, ownership } = this.#parts;
    // While Redis is away no other control plane takes the session over.
    const isOwned = await claimOwnership(ownership, record.current.id).catch(() => true);
    this.handle({ type: isOwned ? 'owned' : 'not_owned' });
  }

  async #save(lease: Lease): Promise<void> {
    let isSaved: boolean;
    try {
      isSaved = await this.#parts.record.savePlacement(lease, () => this.lease === lease);
    } catch (error) {
      this.#logError(error, 'placement not saved');
      return this.handle({ type: 'save_failed', lease });
    }
    this.handle({ type: isSaved ? 'saved' : 'superseded', lease });
  }

  async #assign(lease: Lease): Promise<void> {
    const { record, jobSources, fleet, clock, log, onNotice } = this.#parts;
    const { sessionId, epoch, workerId } = lease;
    log.info({ sessionId, epoch, workerId }, 'session placed');
    const askedAt = clock.elapsed();
    const job = jobOf(record.current, this.#openSegments, jobSources);
    const answer = await fleet.assign(lease, job).catch((error: unknown) => {
      this.#logError(error, 'session not assigned');
      return 'declined' as const;
    });
    const tookMs = clock.elapsed() - askedAt;
    onNotice({
      type: 'timeline',
      event: { kind: TIMELINE_KINDS[answer], epoch, workerId, tookMs },
    });
    this.handle({ type: 'answered', lease, answer });
  }

  #release({ lease, withinMs }: Extract<PlacementEffect, { type: 'release' }>): Promise<void> {
    this.#parts.log.info(lease, 'session moves to another worker');
    const order = { type: 'release', placement: placementOf(lease), withinMs } as const;
    return this.#parts.fleet.send(lease.workerId, order);
  }

  #drop(lease: Lease): Promise<void> {
    const order = { type: 'drop', placement: placementOf(lease) } as const;
    return this.#parts.fleet.send(lease.workerId, order);
  }

  #inBackground(work: Promise<unknown>, failure: string): void {
    work.catch((error: unknown) => this.#logError(error, failure));
  }

  #logError(error: unknown, message: string): void {
    this.#parts.log.error({ sessionId: this.#parts.record.current.id, err: error }, message);
  }
}

const TIMELINE_KINDS = {
  accepted: 'assigned',
  declined: 'declined',
  gone: 'unanswered',
} as const satisfies Record<Assignment, TimelineEvent['kind']>;
