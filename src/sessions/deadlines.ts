import type { Clock } from '#shared/clock.ts';
import type { SessionRecord } from '../records/sessions/sessions.ts';

/** The longest wait that a timer takes; beyond it Node would fire at once. */
const LONGEST_MS = 2 ** 31 - 1;

/** A managed agent ends its call at the end of a sentence: only one that does not is cut off here, so much later. */
const SENTENCE_MS = 20_000;

/** When the session expires by its records alone, in wall time: it never started, or it lasted as long as it may. Null: never. */
export function expiryOf(session: SessionRecord, startMs: number): number | null {
  if (session.status === 'completed') return null;
  if (session.startedAt === null) return session.createdAt + startMs;
  if (session.maxLengthMinutes === null) return null;
  const overtimeMs = session.callId === null ? 0 : SENTENCE_MS;
  return session.startedAt + session.maxLengthMinutes * 60_000 + overtimeMs;
}

/** Runs `run` once at the wall time `at`, however far away. Call what it returns to cancel. */
export function atTime(clock: Clock, at: number, run: () => void): () => void {
  let cancel = schedule();

  function schedule(): () => void {
    const leftMs = Math.max(0, at - clock.now());
    if (leftMs <= LONGEST_MS) return clock.after(leftMs, run);
    return clock.after(LONGEST_MS, () => {
      cancel = schedule();
    });
  }

  return () => cancel();
}
