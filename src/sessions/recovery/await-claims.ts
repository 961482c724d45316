/*
 * After a restart of the control plane the records say which sessions live and the workers say what they perform. Until the workers have
 * had time to come back nothing is decided: media goes on meanwhile. Then a session that no worker claimed is placed again, or ends when no
 * slot comes free for it.
 */
import type { Clock } from '#shared/clock.ts';
import type { Log } from '#shared/log.ts';
import type { LiveSession } from '../live-session.ts';

export type AwaitClaimsParts = {
  clock: Clock;
  log: Log;
  /** How long workers have to come back: the longest pause between their tries, and some. */
  claimMs: number;
  /** Claims for workers that were never away, and so do not come back: by what they said last that they perform. */
  askWorkers: () => Promise<void>;
};

/** Call what it returns to leave the rest undecided. */
export function awaitClaims(revived: LiveSession[], parts: AwaitClaimsParts): () => void {
  const { clock, log, claimMs, askWorkers } = parts;
  if (revived.length === 0) return () => {};

  log.info({ sessions: revived.length }, 'sessions found that live nowhere');
  const decide = () => {
    const unclaimed = revived.filter((session) => !session.isPlaced);
    log.info(
      { claimed: revived.length - unclaimed.length, unclaimed: unclaimed.length },
      'recovery done',
    );
    for (const session of unclaimed) session.unclaimed();
  };
  return clock.after(claimMs, () => {
    askWorkers()
      .catch((err: unknown) => log.error({ err }, 'workers not asked what they perform'))
      .finally(decide);
  });
}
