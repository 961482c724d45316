import type { Clock } from '#shared/clock.ts';
import type { Log } from '#shared/log.ts';
import type { LiveSession } from '../live/live-session.ts';

type AwaitClaimsParts = {
  clock: Clock;
  log: Log;
  /** Time for workers to reconnect: longer than their longest pause between attempts. */
  claimMs: number;
  /** Claims for workers that stayed connected, from their last full report. */
  askWorkers: () => Promise<void>;
};

/**
 * Media continues while workers reconnect and claim their sessions. Places the recovered sessions
 * again that are unclaimed after `claimMs`. Returns a cancel function.
 */
export function awaitClaims(sessions: LiveSession[], parts: AwaitClaimsParts): () => void {
  const { clock, log, claimMs, askWorkers } = parts;
  log.info({ sessions: sessions.length }, 'sessions recovered, waiting for their workers');
  const decide = () => {
    const unclaimed = sessions.filter((session) => !session.isPlaced);
    log.info(
      { claimed: sessions.length - unclaimed.length, unclaimed: unclaimed.length },
      'recovery done',
    );
    for (const session of unclaimed) session.unclaimed();
  };
  return clock.after(claimMs, () => {
    askWorkers()
      .catch((err: unknown) => log.error({ err }, 'connected workers not asked for claims'))
      .finally(decide);
  });
}
