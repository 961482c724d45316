/*
 * Pure state machine of a session at an outside service. `OutsideSessions` saves the state and
 * performs the reports.
 *
 * reserved  counted against the limits; the provider knows nothing yet
 * creating  the provider was asked; whether it has the session is unknown
 * waiting   it has the session, which has not begun
 * showing   it shows the face
 * ending    the session here needs it no longer; it is ended there until that is confirmed
 * closed    final
 */
import { END_REASONS, type EndReason } from '#protocol/end-reasons.ts';
import type { OutsideSession, OutsideState } from '../records/overflow/outside-session.ts';
import { costOf } from './budget.ts';

/** A session as the provider shows it. Times are milliseconds of its clock. */
export type SeenSession = {
  id: string;
  status: 'to_start' | 'ongoing' | 'completed';
  startedAt: number | null;
  endedAt: number | null;
  endReason: string | null;
};

export type OutsideEvent =
  /** The request to create it is about to be sent. */
  | { type: 'asked'; at: number }
  | { type: 'seen'; at: number; session: SeenSession }
  /** The provider refused to create it. */
  | { type: 'refused' }
  /** The provider does not have it. */
  | { type: 'absent'; at: number }
  /** No usable answer. */
  | { type: 'silent'; at: number }
  /** The session here has ended, moved, or was never saved. */
  | { type: 'released' };

/** To the session here: its face began, it ended, or another worker must show its face. */
export type OutsideReport =
  | { type: 'started' }
  | { type: 'ended'; reason: EndReason }
  /** `isSilent`: the provider may still show the face. */
  | { type: 'lost'; isSilent: boolean };

export type OutsideStep = { session: OutsideSession; report: OutsideReport | null };

/** A request that was sent may arrive this much later. */
const SETTLE_MS = 15_000;
/** Outages of a provider that sessions outlast. */
const LOST_AFTER_MS = 60_000;
/** A session that the provider has not ended at its longest length is ended from here. */
const OVERRUN_MS = 60_000;
/** Beyond its longest length, a session there has ended by itself. Includes the time to start. */
const ENDED_BY_MS = 180_000;

export function advanceOutside(session: OutsideSession, event: OutsideEvent): OutsideStep {
  const { state } = session;
  if (state.type === 'closed') return stay(session);

  switch (event.type) {
    case 'asked':
      return state.type === 'reserved'
        ? stay({ ...session, state: { type: 'creating' }, heardAt: event.at })
        : stay(session);
    case 'seen':
      return seen({ ...session, failures: 0 }, event.session, event.at);
    case 'refused':
      return isUnknown(state) ? close(session, 0) : stay(session);
    case 'absent':
      return absent({ ...session, failures: 0 }, event.at);
    case 'silent':
      return silent({ ...session, failures: session.failures + 1 }, event.at);
    case 'released':
      return release(session);
  }
}

/** Whether the provider may have it, without a known id. */
const isUnknown = (state: OutsideState): boolean =>
  state.type === 'creating' || (state.type === 'ending' && state.outsideId === null);

function seen(previous: OutsideSession, reported: SeenSession, at: number): OutsideStep {
  const { state } = previous;
  const outsideId = reported.id;
  const lengthMs = lengthOf(previous, reported, at);
  const session = { ...previous, heardAt: at };
  if (reported.status === 'completed') {
    const { endReason } = reported;
    const closed = close({ ...session, endReason, state: { type: 'ending', outsideId } }, lengthMs);
    return state.type === 'ending' ? closed : { ...closed, report: reportOf(endReason) };
  }
  if (state.type === 'ending')
    return stay({ ...session, lengthMs, state: { type: 'ending', outsideId } });
  if (reported.status === 'to_start')
    return stay({ ...session, state: { type: 'waiting', outsideId } });
  const showing: OutsideSession = { ...session, lengthMs, state: { type: 'showing', outsideId } };
  if (lengthMs > session.limitMs + OVERRUN_MS)
    return { session: release(showing).session, report: LOST };
  return state.type === 'showing'
    ? stay(showing)
    : { session: showing, report: { type: 'started' } };
}

function absent(session: OutsideSession, at: number): OutsideStep {
  const { state, heardAt } = session;
  // Until it has an id, `heardAt` is the time of the request.
  if (isUnknown(state) && at - heardAt < SETTLE_MS) return stay(session);
  const closed = close(session, isUnknown(state) ? 0 : session.lengthMs + (at - heardAt));
  return state.type === 'ending' ? closed : { ...closed, report: LOST };
}

function silent(session: OutsideSession, at: number): OutsideStep {
  const { state, heardAt, reservedAt, limitMs } = session;
  if (state.type === 'ending')
    // The provider counts the whole length, for all that is known.
    return at < reservedAt + limitMs + ENDED_BY_MS ? stay(session) : close(session, limitMs);
  if (at - heardAt < LOST_AFTER_MS) return stay(session);
  return { session: release(session).session, report: { type: 'lost', isSilent: true } };
}

function release(session: OutsideSession): OutsideStep {
  const { state } = session;
  switch (state.type) {
    case 'reserved':
      return close(session, 0);
    case 'creating':
      return stay({ ...session, state: { type: 'ending', outsideId: null } });
    case 'waiting':
    case 'showing':
      return stay({ ...session, state: { type: 'ending', outsideId: state.outsideId } });
    case 'ending':
    case 'closed':
      return stay(session);
  }
}

/** The provider enforces the limit, so a longer time is an error of its clock. */
function close(session: OutsideSession, length: number): OutsideStep {
  const { state, limitMs, priceMicros } = session;
  const lengthMs = Math.round(Math.min(Math.max(0, length), limitMs));
  return stay({
    ...session,
    state: { type: 'closed', outsideId: 'outsideId' in state ? state.outsideId : null },
    lengthMs,
    costMicros: costOf(lengthMs, priceMicros),
  });
}

/** Its clock may differ from ours, so both times are its own where it says both. */
function lengthOf(
  session: OutsideSession,
  { startedAt, endedAt }: SeenSession,
  at: number,
): number {
  if (startedAt === null) return 0;
  if (endedAt !== null) return endedAt - startedAt;
  const isRunning = session.state.type === 'showing';
  return isRunning ? session.lengthMs + Math.max(0, at - session.heardAt) : 0;
}

const LOST: OutsideReport = { type: 'lost', isSilent: false };

/** Ends that concern the provider only: the session goes on elsewhere. */
const ELSEWHERE: ReadonlySet<string> = new Set([
  'ended_by_client',
  'never_started',
  'service_stopped',
  'time_limit',
  'worker_lost',
]);

function reportOf(endReason: string | null): OutsideReport {
  if (endReason !== null && ELSEWHERE.has(endReason)) return LOST;
  // Another service may have reasons of its own, or none.
  return { type: 'ended', reason: END_REASONS.find((each) => each === endReason) ?? 'removed' };
}

const stay = (session: OutsideSession): OutsideStep => ({ session, report: null });
