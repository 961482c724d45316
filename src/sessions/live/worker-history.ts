/*
 * Pure: what the end of one worker's performance means for its session, given what earlier workers
 * did.
 */
import type { EndReason } from '#protocol/end-reasons.ts';
import type { SessionEvent } from '../lifecycle.ts';

/** Times are milliseconds since the epoch. */
export type WorkerHistory = {
  /** Workers in a row that accepted the session and then failed to show its face. */
  giveUps: number;
  /** First frame of the current worker; null before it. */
  shownAt: number | null;
  /**
   * An earlier worker may still be alive. Until it hears that the session moved, it replaces its
   * successor in the room: by the join that it had begun, or because its media client reconnects.
   */
  mayReplaceSuccessor: boolean;
};

export type PerformanceEnd =
  /** `isSilent`: the worker may still perform the session, but does not answer. */
  | { type: 'lost'; isSilent: boolean }
  | { type: 'gave_up'; at: number }
  | { type: 'ended'; at: number; reason: EndReason; detail?: string | undefined };

type HistoryStep = { history: WorkerHistory; event: SessionEvent };

export const newHistory: WorkerHistory = { giveUps: 0, shownAt: null, mayReplaceSuccessor: false };

const MAX_GIVE_UPS = 3;
/** A face shown for longer resets the count. In milliseconds. */
const STEADY_MS = 60_000;

/** The current worker's first frame. */
export const firstFrame = (history: WorkerHistory, at: number): WorkerHistory => ({
  ...history,
  shownAt: at,
});

/** `event`: what happens to the session. */
export function endPerformance(history: WorkerHistory, end: PerformanceEnd): HistoryStep {
  switch (end.type) {
    case 'lost': {
      const mayStillJoin = history.shownAt === null;
      const mayReplaceSuccessor = history.mayReplaceSuccessor || end.isSilent || mayStillJoin;
      return replace({ ...history, shownAt: null, mayReplaceSuccessor });
    }
    case 'gave_up':
      return giveUp(history, end.at);
    case 'ended':
      return history.mayReplaceSuccessor && end.reason === 'replaced'
        ? replace({ ...history, mayReplaceSuccessor: false })
        : { history, event: end };
  }
}

function giveUp({ shownAt, ...history }: WorkerHistory, at: number): HistoryStep {
  const wasSteady = shownAt !== null && at - shownAt > STEADY_MS;
  const giveUps = wasSteady ? 1 : history.giveUps + 1;
  const nextHistory = { ...history, giveUps, shownAt: null };
  if (giveUps < MAX_GIVE_UPS) return replace(nextHistory);
  return { history: nextHistory, event: { type: 'ended', at, reason: 'worker_lost' } };
}

/** Another worker takes over. */
const replace = (history: WorkerHistory): HistoryStep => ({
  history,
  event: { type: 'worker_lost' },
});
