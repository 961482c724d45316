/*
 * Where the face of one live session is, for its flight record:
 * shown  by its worker                            -> away when that worker is lost or hands it over
 * away   since a moment that is kept              -> shown with the next worker's first frame, or when the worker before is back
 */
import type { Clock } from '#shared/clock.ts';
import type { SessionNotifier } from '../session-notifier.ts';

type Cause = 'failover' | 'hand_over';
type Away = { cause: Cause; workerId: string; since: number };
type Placed = { epoch: number; workerId: string | null };

export class OutageTracker {
  readonly #clock: Clock;
  readonly #news: Pick<SessionNotifier, 'note' | 'told'>;
  #away: Away | null = null;
  /** Of the last first frame: workers say it until it is acknowledged. */
  #shownEpoch = 0;

  constructor(clock: Clock, news: Pick<SessionNotifier, 'note' | 'told'>) {
    this.#clock = clock;
    this.#news = news;
  }

  lost({ epoch, workerId }: Placed): void {
    if (workerId !== null) this.#news.note({ kind: 'lost', epoch, workerId });
    this.#leave('failover', workerId);
  }

  /** Its worker has fallen silent, or another one takes over from it without that. */
  handsOver({ workerId }: Placed): void {
    if (!this.#away) this.#leave('hand_over', workerId);
  }

  /** Its worker is where it was. */
  isBack(): void {
    this.#away = null;
  }

  /** At this time, in milliseconds since the epoch. Null: the worker before was not lost; else how long the face was away. */
  shown({ epoch, workerId }: Placed, at: number): number | null {
    if (epoch > this.#shownEpoch) this.#news.told({ kind: 'first_frame', epoch }, at);
    this.#shownEpoch = Math.max(epoch, this.#shownEpoch);
    const away = this.#away;
    this.#away = null;
    if (!away) return null;
    const { cause, since, workerId: fromWorkerId } = away;
    // Its worker may say it late.
    const lateMs = this.#clock.now() - at;
    const gapMs = Math.max(0, this.#clock.elapsed() - since - lateMs);
    const toWorkerId = workerId ?? '';
    this.#news.told({ kind: 'moved', epoch, cause, fromWorkerId, toWorkerId, gapMs }, at);
    return cause === 'failover' ? gapMs : null;
  }

  #leave(cause: Cause, workerId: string | null): void {
    const { since = this.#clock.elapsed(), workerId: first = workerId ?? '' } = this.#away ?? {};
    this.#away = { cause, workerId: first, since };
  }
}
