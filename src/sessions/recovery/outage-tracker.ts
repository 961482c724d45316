/* Measures how long the face of one live session is away when it changes workers. */
import type { Clock } from '#shared/clock.ts';
import type { SessionNotifier } from '../session-notifier.ts';

type Cause = 'failover' | 'hand_over';
type Outage =
  | { type: 'none' }
  /** `workerId`: the last worker that showed the face; `since` in monotonic milliseconds. */
  | { type: 'away'; cause: Cause; workerId: string; since: number };
type Placed = { epoch: number; workerId: string | null };

export class OutageTracker {
  readonly #clock: Clock;
  readonly #notifier: Pick<SessionNotifier, 'record' | 'recordReported'>;
  #outage: Outage = { type: 'none' };
  /** Workers repeat `started` until it is acknowledged; each epoch has one first frame. */
  #shownEpoch = 0;

  constructor(clock: Clock, notifier: Pick<SessionNotifier, 'record' | 'recordReported'>) {
    this.#clock = clock;
    this.#notifier = notifier;
  }

  lost({ epoch, workerId }: Placed): void {
    if (workerId !== null) this.#notifier.record({ kind: 'lost', epoch, workerId });
    this.#begin('failover', workerId);
  }

  /** The worker fell silent, or another one takes over without a release. */
  handsOver({ workerId }: Placed): void {
    if (this.#outage.type === 'none') this.#begin('hand_over', workerId);
  }

  /** The worker reconnected with its session. */
  returned(): void {
    this.#outage = { type: 'none' };
  }

  /**
   * The first frame, at `at` in milliseconds since the epoch. Returns how long the face was away
   * after a loss, in milliseconds; null without a loss.
   */
  shown({ epoch, workerId }: Placed, at: number): number | null {
    if (epoch > this.#shownEpoch) this.#notifier.recordReported({ kind: 'first_frame', epoch }, at);
    this.#shownEpoch = Math.max(epoch, this.#shownEpoch);
    const outage = this.#outage;
    this.#outage = { type: 'none' };
    if (outage.type === 'none') return null;
    const { cause, since, workerId: fromWorkerId } = outage;
    // The report may arrive long after the frame.
    const reportAgeMs = this.#clock.now() - at;
    const gapMs = Math.max(0, this.#clock.elapsed() - since - reportAgeMs);
    const toWorkerId = workerId ?? '';
    const moved = { kind: 'moved', epoch, cause, fromWorkerId, toWorkerId, gapMs } as const;
    this.#notifier.recordReported(moved, at);
    return cause === 'failover' ? gapMs : null;
  }

  /** A second loss keeps the first worker and time: the face has not been shown since. */
  #begin(cause: Cause, workerId: string | null): void {
    this.#outage =
      this.#outage.type === 'away'
        ? { ...this.#outage, cause }
        : { type: 'away', cause, workerId: workerId ?? '', since: this.#clock.elapsed() };
  }
}
