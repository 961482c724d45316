import type { Clock } from '#shared/clock.ts';
import type { SessionRecord } from '../../records/sessions/sessions.ts';

/** Limit of a Node timer; a longer one fires at once. */
const LONGEST_MS = 2 ** 31 - 1;

/** A managed agent ends its call after the current sentence; this limit applies if it does not. */
const SENTENCE_MS = 20_000;

type Limited = Pick<
  SessionRecord,
  'status' | 'createdAt' | 'startedAt' | 'maxLengthMinutes' | 'callId'
>;

/** Wall time at which the session must start, or reaches its maximum length. Null: never. */
export function expiryOf(session: Limited, startMs: number): number | null {
  if (session.status === 'completed') return null;
  if (session.startedAt === null) return session.createdAt + startMs;
  if (session.maxLengthMinutes === null) return null;
  const overtimeMs = session.callId === null ? 0 : SENTENCE_MS;
  return session.startedAt + session.maxLengthMinutes * 60_000 + overtimeMs;
}

/** Runs `run` once at wall time `at`, however far away. Returns a cancel function. */
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

/** Calls `onPassed` at the session's deadline. The session owns it and closes it. */
export class SessionDeadline {
  readonly #clock: Clock;
  readonly #startMs: number;
  readonly #onPassed: () => void;
  #cancel: () => void = () => {};
  #isClosed = false;

  constructor(clock: Clock, startMs: number, onPassed: () => void) {
    this.#clock = clock;
    this.#startMs = startMs;
    this.#onPassed = onPassed;
  }

  /** Call when the session's state has changed. */
  update(session: SessionRecord): void {
    this.#cancel();
    // A change that waited for its turn may be saved after the close.
    const at = this.#isClosed ? null : expiryOf(session, this.#startMs);
    this.#cancel = at === null ? () => {} : atTime(this.#clock, at, this.#onPassed);
  }

  close(): void {
    this.#isClosed = true;
    this.#cancel();
  }
}
