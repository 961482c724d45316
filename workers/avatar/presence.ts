import type { Clock } from '#shared/clock.ts';
import type { EndReason } from '#protocol/end-reasons.ts';
import type { Presence } from './transport/transport.ts';

/** An agent may lose its connection and come back. */
const AGENT_GRACE_MS = 10_000;
/** A room with nobody else in it is left, later while nobody has come yet. */
const EMPTY_MS = 30_000;
const FIRST_MS = 2 * 60_000;

/** Watches who is there and says when there is no sense in staying. Call `present` on joining and on every change. */
export class PresenceWatch {
  readonly #clock: Clock;
  readonly #onOver: (reason: EndReason) => void;
  #cameAgent = false;
  #cameAnybody = false;
  #timers: Record<'agent' | 'anybody', (() => void) | null> = { agent: null, anybody: null };

  constructor(clock: Clock, onOver: (reason: EndReason) => void) {
    this.#clock = clock;
    this.#onOver = onOver;
  }

  present({ agentHere, others }: Presence): void {
    this.#cameAgent ||= agentHere;
    this.#cameAnybody ||= others > 0;
    // Empty is told before agent: a room that nobody ever came to has no agent that left.
    this.#watch('anybody', others > 0, this.#cameAnybody ? EMPTY_MS : FIRST_MS, 'room_empty');
    this.#watch('agent', agentHere, this.#cameAgent ? AGENT_GRACE_MS : FIRST_MS, 'agent_left');
  }

  close(): void {
    this.#timers.agent?.();
    this.#timers.anybody?.();
  }

  #watch(who: 'agent' | 'anybody', isHere: boolean, graceMs: number, reason: EndReason): void {
    if (isHere) {
      this.#timers[who]?.();
      this.#timers[who] = null;
    } else {
      // The wait began when they left, not with the last change.
      this.#timers[who] ??= this.#clock.after(graceMs, () => this.#onOver(reason));
    }
  }
}
