/*
 * After a restart of the control plane the records say which sessions live and the workers say what they perform. Until the workers have
 * had time to come back nothing is decided: media goes on meanwhile. Then a session that no worker claimed is placed again, or ends when no
 * slot comes free for it.
 */
import type { Clock } from '#shared/clock.ts';
import type { Log } from '#shared/log.ts';
import type { SessionRecord, SessionRecords } from '../records/sessions.ts';
import type { LiveSession } from './live-session.ts';

export type RecoveryParts = {
  records: SessionRecords;
  clock: Clock;
  log: Log;
  /** How long workers have to come back: the longest pause between their tries, and some. */
  claimMs: number;
  /** Makes a session known again, unplaced. */
  revive: (record: SessionRecord) => LiveSession;
};

/** Call it before the first worker may connect. Call what it returns to leave the rest undecided. */
export async function recoverSessions(parts: RecoveryParts): Promise<() => void> {
  const { records, clock, log, claimMs, revive } = parts;
  const revived = (await records.live()).map(revive);
  if (revived.length === 0) return () => {};

  log.info({ sessions: revived.length }, 'sessions found after a restart');
  return clock.after(claimMs, () => {
    const unclaimed = revived.filter((session) => !session.isPlaced);
    log.info(
      { claimed: revived.length - unclaimed.length, unclaimed: unclaimed.length },
      'recovery done',
    );
    for (const session of unclaimed) session.unclaimed();
  });
}
