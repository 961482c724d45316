import type { Clock } from '#shared/clock.ts';
import type { EndReason } from '#protocol/end-reasons.ts';
import { nextState, type PresenceState } from './presence-state.ts';
import type { Presence } from './transport/transport.ts';

/** An agent may lose its connection and return. */
const AGENT_GRACE_MS = 10_000;
const EMPTY_MS = 30_000;
/** Applies instead of both until the agent, or any participant, has joined for the first time. */
const FIRST_JOIN_MS = 2 * 60_000;

type PresenceTimer = { state: PresenceState; cancelTimer: () => void };

/**
 * Ends a session when its agent is gone or the room is empty. Call `present` on joining and on
 * every change.
 */
export class PresenceWatch {
  readonly #clock: Clock;
  readonly #onOver: (reason: EndReason) => void;
  readonly #agent: PresenceTimer = { state: 'unknown', cancelTimer: () => {} };
  readonly #participants: PresenceTimer = { state: 'unknown', cancelTimer: () => {} };

  constructor(clock: Clock, onOver: (reason: EndReason) => void) {
    this.#clock = clock;
    this.#onOver = onOver;
  }

  present({ agentHere, participants }: Presence): void {
    // In this order: if no participant ever joins, both timers fire together and the reason is
    // `room_empty`.
    this.#watch(this.#participants, participants > 0, EMPTY_MS, 'room_empty');
    this.#watch(this.#agent, agentHere, AGENT_GRACE_MS, 'agent_left');
  }

  close(): void {
    this.#agent.cancelTimer();
    this.#participants.cancelTimer();
  }

  #watch(watched: PresenceTimer, isHere: boolean, graceMs: number, reason: EndReason): void {
    const state = nextState(watched.state, isHere);
    // Other changes do not restart a running timer.
    if (state === watched.state) return;
    watched.state = state;
    watched.cancelTimer();
    if (state === 'here') return;
    const waitMs = state === 'away' ? graceMs : FIRST_JOIN_MS;
    watched.cancelTimer = this.#clock.after(waitMs, () => this.#onOver(reason));
  }
}
