import type { Clock } from '#shared/clock.ts';
import type { EndReason } from '#protocol/end-reasons.ts';
import type { Presence } from './transport/transport.ts';

/** An agent may lose its connection and return. */
const AGENT_GRACE_MS = 10_000;
const EMPTY_MS = 30_000;
/** Applies instead of both until the agent, or any participant, has joined for the first time. */
const FIRST_JOIN_MS = 2 * 60_000;

/**
 * Ends a session when its agent is gone or the room is empty. Call `present` on joining and on
 * every change.
 */
export class PresenceWatch {
  readonly #clock: Clock;
  readonly #onOver: (reason: EndReason) => void;
  #sawAgent = false;
  #sawOthers = false;
  #timers: Record<'agent' | 'others', (() => void) | null> = { agent: null, others: null };

  constructor(clock: Clock, onOver: (reason: EndReason) => void) {
    this.#clock = clock;
    this.#onOver = onOver;
  }

  present({ agentHere, others }: Presence): void {
    this.#sawAgent ||= agentHere;
    this.#sawOthers ||= others > 0;
    // In this order: if no participant ever joins, both timers fire together and the reason is
    // `room_empty`.
    this.#watch('others', others > 0, this.#sawOthers ? EMPTY_MS : FIRST_JOIN_MS, 'room_empty');
    this.#watch('agent', agentHere, this.#sawAgent ? AGENT_GRACE_MS : FIRST_JOIN_MS, 'agent_left');
  }

  close(): void {
    this.#timers.agent?.();
    this.#timers.others?.();
  }

  #watch(who: 'agent' | 'others', isHere: boolean, graceMs: number, reason: EndReason): void {
    if (isHere) {
      this.#timers[who]?.();
      this.#timers[who] = null;
    } else {
      // Other changes do not restart a running timer.
      this.#timers[who] ??= this.#clock.after(graceMs, () => this.#onOver(reason));
    }
  }
}
