/*
 * Pure state machine of `PlacementState`. `SessionPlacement` performs the effects.
 *
 * Epoch and lease change in one step, between the session's saves, so a claim or report is always
 * judged by one placement.
 */
import type { Lease } from '../../fleet/fleet.ts';
import {
  leaseOf,
  type Phase,
  type PlacementEffect,
  type PlacementEvent,
  type PlacementState,
  type Search,
} from './placement-state.ts';

type PlacementStep = { state: PlacementState; effects: PlacementEffect[] };

/** `at`: monotonic time of the event, in milliseconds. */
type PlacementTimes = { at: number; searchMs: number; retryMs: number };

/** Extension of a search while the fleet cannot answer, for example because Redis is away. */
const AWAY_MS = 60_000;
/** Wait for a slot elsewhere; the leaving worker asks again. */
const MOVE_SEARCH_MS = 5_000;
/** A worker may wait this long for the end of a segment before it falls silent within one. */
const RELEASE_MS = 8_000;
/** For the worker's answer to arrive after that. */
const ANSWER_MS = 2_000;

export function advancePlacement(
  state: PlacementState,
  event: PlacementEvent,
  times: PlacementTimes,
): PlacementStep {
  if (state.type === 'closed') return advanceClosed(state, event);

  switch (event.type) {
    case 'saved':
      // Lost or claimed while it was saved: the lease is no longer the session's.
      return leaseOf(state) === event.lease
        ? stay(state, { type: 'assign', lease: event.lease })
        : stay(state);
    case 'save_failed':
      return saveFailed(state, event.lease, times);
    case 'superseded':
      return superseded(state, event.lease);
    case 'answered':
      return answered(state, event, times);
    case 'claimed':
      return claimed(state, event.lease);
    case 'lost':
      return lost(state, times, leaseOf(state));
    case 'worker_leaving':
      return workerLeaving(state);
    case 'released':
      return state.type === 'releasing' && state.lease.epoch === event.epoch
        ? confirm(state, state.lease, undo(state))
        : stay(state);
    case 'shown':
      return stay({ ...state, former: null });
    case 'reserved':
      return reserved(state, event.lease, times);
    case 'reserve_failed':
      return reserveFailed(state, times);
    case 'owned':
      if (state.type !== 'confirming') return stay(state);
      return place({ ...state, former: state.lease }, state.to, null);
    case 'not_owned':
      return notOwned(state);
    case 'timer':
      return timer(state, times);
    case 'closed':
      return close(state);
    case 'ended':
      return end(close(state));
  }
}

function answered(
  state: PlacementState,
  { lease, answer }: Extract<PlacementEvent, { type: 'answered' }>,
  times: PlacementTimes,
): PlacementStep {
  // The answer of a lease that was lost or claimed meanwhile changes nothing.
  if (leaseOf(state) !== lease) return stay(state);
  // The fleet has already freed a declined lease.
  if (answer === 'declined') return lost(state, times, null);
  // `gone` stays placed: the worker reconnects with the session, without it, or is declared lost.
  return state.type === 'placed' ? stay({ ...state, search: null }) : stay(state);
}

/** A claim replaces the lease object, so that a loss queued for the old connection is ignored. */
function claimed(state: PlacementState, lease: Lease): PlacementStep {
  if (lease.epoch !== state.epoch) return stay(state);
  // Not held: `to` is the session's lease in the fleet, and the session still moves there.
  if (state.type === 'releasing' || state.type === 'confirming') return stay({ ...state, lease });
  const hold: PlacementEffect = { type: 'hold', lease };
  if (state.type === 'reserving') return stay({ ...state, lease }, hold);
  // Claimed in the same moment as a slot comes free: the cancelled request frees that slot.
  return go(state, { type: 'placed', lease, search: null }, [...undo(state), hold]);
}

function lost(state: PlacementState, times: PlacementTimes, freed: Lease | null): PlacementStep {
  const free: PlacementEffect[] = freed ? [{ type: 'free', lease: freed }] : [];
  switch (state.type) {
    case 'unclaimed':
      return search(state, newSearch(times), times);
    case 'placed':
      return search(state, state.search ?? newSearch(times), times, free);
    case 'reserving':
      // Cancelled first: two requests for one epoch could not be told apart.
      return search(state, newSearch(times), times, [...undo(state), ...free]);
    case 'releasing':
      // A slot is already reserved. The old lease is not freed: `to` has replaced it in the fleet.
      return confirm(state, null, undo(state));
    case 'confirming':
      return stay({ ...state, lease: null });
    case 'searching':
    case 'pausing':
    case 'closed':
      return stay(state);
  }
}

function workerLeaving(state: PlacementState): PlacementStep {
  if (state.type === 'placed') {
    const { lease } = state;
    const reserve = reserveNext(state, MOVE_SEARCH_MS, false);
    return go(state, { type: 'reserving', lease }, [reserve]);
  }
  // Asked again: the first request may have been lost with the worker's connection.
  return state.type === 'releasing' ? stay(state, release(state.lease)) : stay(state);
}

function reserved(
  state: PlacementState,
  lease: Lease | null,
  times: PlacementTimes,
): PlacementStep {
  if (state.type === 'searching') {
    if (!lease) return unplaceable(state);
    const waitedMs = times.at - state.since;
    return place(state, lease, state.search, [{ type: 'record_wait', waitedMs }]);
  }
  if (state.type === 'reserving') {
    const placed: Phase = { type: 'placed', lease: state.lease, search: null };
    if (!lease) return go(state, placed);
    // A relieved worker may have recovered meanwhile. The newer lease has replaced its own.
    if (lease.workerId === state.lease.workerId)
      return go(state, placed, [
        { type: 'free', lease },
        { type: 'hold', lease: state.lease },
      ]);
    return go(state, { type: 'releasing', lease: state.lease, to: lease }, [
      { type: 'start_timer', ms: RELEASE_MS + ANSWER_MS },
      release(state.lease),
    ]);
  }
  return lease ? stay(state, { type: 'free', lease }) : stay(state);
}

function reserveFailed(state: PlacementState, { retryMs }: PlacementTimes): PlacementStep {
  if (state.type === 'reserving')
    return go(state, { type: 'placed', lease: state.lease, search: null });
  if (state.type !== 'searching') return stay(state);
  if (state.since >= state.search.deadline) return unplaceable(state);
  return pause(state, { search: state.search, failedSince: state.since }, retryMs);
}

function saveFailed(state: PlacementState, lease: Lease, times: PlacementTimes): PlacementStep {
  if (leaseOf(state) !== lease) return stay(state, { type: 'free', lease });
  if (state.type !== 'placed' && state.type !== 'reserving') return lost(state, times, lease);
  const search = (state.type === 'placed' && state.search) || newSearch(times);
  const effects: PlacementEffect[] = [...undo(state), { type: 'free', lease }];
  return pause(state, { search, failedSince: null }, times.retryMs, effects);
}

/** The worker was not assigned the session: that follows the save. */
function superseded(state: PlacementState, lease: Lease): PlacementStep {
  const free: PlacementEffect = { type: 'free', lease };
  if (leaseOf(state) !== lease) return stay(state, free);
  const effects = [...undo(state), free];
  if ('to' in state) effects.push({ type: 'free', lease: state.to });
  return go(state, { type: 'unclaimed' }, [...effects, { type: 'report_superseded' }]);
}

function notOwned(state: PlacementState): PlacementStep {
  if (state.type === 'searching') return go(state, { type: 'unclaimed' });
  if (state.type !== 'confirming') return stay(state);
  const { lease, to } = state;
  const phase: Phase = lease ? { type: 'placed', lease, search: null } : { type: 'unclaimed' };
  return go(state, phase, [{ type: 'free', lease: to }]);
}

function timer(state: PlacementState, times: PlacementTimes): PlacementStep {
  if (state.type === 'releasing') return confirm(state, state.lease);
  if (state.type !== 'pausing') return stay(state);
  const { failedSince } = state;
  const { deadline, latest } = state.search;
  // Time in which the fleet could not answer does not count.
  const awayMs = failedSince === null ? 0 : times.at - failedSince;
  return search(state, { latest, deadline: Math.min(latest, deadline + awayMs) }, times);
}

function close(state: PlacementState): PlacementStep {
  const effects = undo(state);
  if ('to' in state) effects.push({ type: 'free', lease: state.to });
  return go(state, { type: 'closed', lease: leaseOf(state) }, effects);
}

/** The caller frees the lease. The former worker has no successor to replace it in the room. */
function end({ state, effects }: PlacementStep): PlacementStep {
  const { former } = state;
  return {
    state: { type: 'closed', epoch: state.epoch, former: null, lease: null },
    effects: former ? [...effects, { type: 'drop', lease: former }] : effects,
  };
}

function advanceClosed(
  state: Extract<PlacementState, { type: 'closed' }>,
  event: PlacementEvent,
): PlacementStep {
  if (event.type === 'ended') return end(stay(state));
  const isOwn = 'lease' in event && event.lease === state.lease;
  const lease = isOwn ? null : state.lease;
  // An assignment under way outlives a close; its slot is not freed a second time.
  if (event.type === 'answered' && event.answer === 'declined') return stay({ ...state, lease });
  if (event.type === 'save_failed' || event.type === 'superseded')
    return stay({ ...state, lease }, { type: 'free', lease: event.lease });
  return stay(state);
}

function search(
  state: PlacementState,
  search: Search,
  { at }: PlacementTimes,
  effects: PlacementEffect[] = [],
): PlacementStep {
  const reserve = reserveNext(state, search.deadline - at, true);
  return go(state, { type: 'searching', search, since: at }, [...effects, reserve]);
}

function place(
  state: PlacementState,
  lease: Lease,
  search: Search | null,
  effects: PlacementEffect[] = [],
): PlacementStep {
  const { former } = state;
  return {
    state: { type: 'placed', epoch: lease.epoch, former, lease, search },
    effects: [...effects, { type: 'save', lease }],
  };
}

function confirm(
  state: Extract<PlacementState, { type: 'releasing' }>,
  lease: Lease | null,
  effects: PlacementEffect[] = [],
): PlacementStep {
  const phase: Phase = { type: 'confirming', lease, to: state.to };
  return go(state, phase, [...effects, { type: 'confirm_owner' }]);
}

function pause(
  state: PlacementState,
  phase: Omit<Extract<Phase, { type: 'pausing' }>, 'type'>,
  ms: number,
  effects: PlacementEffect[] = [],
): PlacementStep {
  return go(state, { type: 'pausing', ...phase }, [...effects, { type: 'start_timer', ms }]);
}

const unplaceable = (state: PlacementState): PlacementStep =>
  go(state, { type: 'unclaimed' }, [{ type: 'report_unplaceable' }]);

/** Effects that stop what the state has under way. */
function undo({ type }: PlacementState): PlacementEffect[] {
  if (type === 'searching' || type === 'reserving') return [{ type: 'cancel_reserve' }];
  if (type === 'pausing' || type === 'releasing') return [{ type: 'stop_timer' }];
  return [];
}

const newSearch = ({ at, searchMs }: PlacementTimes): Search => ({
  deadline: at + searchMs,
  latest: at + searchMs + AWAY_MS,
});

const reserveNext = (
  { epoch }: PlacementState,
  waitMs: number,
  checksOwner: boolean,
): PlacementEffect => ({ type: 'reserve', epoch: epoch + 1, waitMs, checksOwner });

const release = (lease: Lease): PlacementEffect => ({
  type: 'release',
  lease,
  withinMs: RELEASE_MS,
});

const stay = (state: PlacementState, ...effects: PlacementEffect[]): PlacementStep => ({
  state,
  effects,
});

const go = (
  { epoch, former }: PlacementState,
  phase: Phase,
  effects: PlacementEffect[] = [],
): PlacementStep => ({ state: { epoch, former, ...phase }, effects });
