import type { Clock } from '#shared/clock.ts';
import { MISSED_BEATS } from '#protocol/beats.ts';
import type { Beat, Placement } from '#protocol/worker-messages.ts';

/** A session as far as beats are concerned. */
export type Beating = {
  placement: Placement;
  isLeaving: boolean;
  performance: { readonly framesShown?: number };
};

type BeatsParts = {
  clock: Clock;
  send: (beat: Beat) => void;
  held: () => Iterable<Beating>;
};

/**
 * Tells the gateway that this process runs and that its pictures move. Sent from the thread that draws: a process that stands still, or is kept
 * from drawing, sends none.
 */
export class Beats {
  readonly #parts: BeatsParts;
  /** Pictures at the last beat, and for how many beats there was no new one. */
  readonly #pictures = new WeakMap<Beating, { shown: number; still: number }>();
  #lastSaid = 0;
  #stop: (() => void) | null = null;

  constructor(parts: BeatsParts) {
    this.#parts = parts;
  }

  /** A connection stands whose gateway wants a beat every `everyMs`; null: it wants none. */
  start(everyMs: number | null): void {
    this.close();
    if (everyMs === null) return;
    this.#lastSaid = 0;
    this.#stop = this.#parts.clock.every(everyMs, () => this.#beat());
    this.#say([...this.#parts.held()].length, []);
  }

  /** A session was taken. The gateway counts on beats from the first one on. */
  taken(): void {
    if (this.#stop && this.#lastSaid === 0) this.#say(1, []);
  }

  close(): void {
    this.#stop?.();
    this.#stop = null;
  }

  #beat(): void {
    const held = [...this.#parts.held()];
    const stalled = held.filter((session) => this.#isStalled(session));
    this.#say(
      held.length,
      stalled.map(({ placement }) => placement),
    );
  }

  /** Asked once a beat. Before its first picture a session is still being opened. */
  #isStalled(session: Beating): boolean {
    const shown = session.performance.framesShown ?? 0;
    const before = this.#pictures.get(session);
    const isStill = shown > 0 && before?.shown === shown && !session.isLeaving;
    const still = isStill ? before.still + 1 : 0;
    this.#pictures.set(session, { shown, still });
    return still >= MISSED_BEATS;
  }

  #say(performing: number, stalled: Placement[]): void {
    if (performing === 0 && this.#lastSaid === 0) return;
    this.#lastSaid = performing;
    this.#parts.send({ type: 'beat', performing, ...(stalled.length > 0 && { stalled }) });
  }
}
