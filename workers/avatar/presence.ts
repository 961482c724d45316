import type { Clock } from '#shared/clock.ts';
import type { EndReason } from '#protocol/end-reasons.ts';
import { PUBLISH_ON_BEHALF } from '#protocol/room-terms.ts';
import { nextState, type PresenceState } from './presence-state.ts';
import type { Presence } from './transport/transport.ts';

/** An agent may lose its connection and return. */
const AGENT_GRACE_MS = 10_000;
const EMPTY_MS = 30_000;
/** Applies instead of both until the agent, or any participant, has joined for the first time. */
const FIRST_JOIN_MS = 2 * 60_000;
/** An agent usually creates the session from the room. */
const MISSING_MS = 10_000;

type PresenceTimer = { state: PresenceState; cancelTimer: () => void };

type PresenceListener = {
  onOver: (reason: EndReason, detail?: string) => void;
  /** The agent has not joined yet, which a wrong name may explain. */
  onMissing: (detail: string) => void;
};

/**
 * Ends a session when its agent is gone or the room is empty. Call `present` on joining and on
 * every change.
 */
export class PresenceWatch {
  readonly #clock: Clock;
  readonly #listener: PresenceListener;
  readonly #agent: PresenceTimer = { state: 'unknown', cancelTimer: () => {} };
  readonly #participants: PresenceTimer = { state: 'unknown', cancelTimer: () => {} };
  #cancelMissing = () => {};
  #latest: Presence = { agentHere: false, participants: 0 };

  constructor(clock: Clock, listener: PresenceListener) {
    this.#clock = clock;
    this.#listener = listener;
  }

  present(presence: Presence): void {
    const { agentHere, participants } = presence;
    this.#latest = presence;
    this.#watchMissing(agentHere);
    // In this order: if no participant ever joins, both timers fire together and the reason is
    // `room_empty`.
    this.#watch(this.#participants, participants > 0, EMPTY_MS, 'room_empty');
    this.#watch(this.#agent, agentHere, AGENT_GRACE_MS, 'agent_left');
  }

  close(): void {
    this.#cancelMissing();
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
    watched.cancelTimer = this.#clock.after(waitMs, () =>
      this.#listener.onOver(reason, this.#missing),
    );
  }

  #watchMissing(agentHere: boolean): void {
    if (agentHere) return this.#cancelMissing();
    if (this.#agent.state !== 'unknown') return;
    this.#cancelMissing = this.#clock.after(MISSING_MS, () => {
      const detail = this.#missing;
      if (detail !== undefined) this.#listener.onMissing(detail);
    });
  }

  /** Undefined if the agent was there, or comes from elsewhere. */
  get #missing(): string | undefined {
    const { agentName, participants } = this.#latest;
    if (this.#agent.state !== 'expected' || agentName === undefined) return undefined;
    const agent =
      agentName === null
        ? 'No participant of the kind `agent` joined the room, and the token names no other'
        : `The agent ${JSON.stringify(agentName)} of the token was never seen in the room`;
    return `${agent} (other participants: ${participants}). The token's attribute \`${PUBLISH_ON_BEHALF}\` must be the agent's identity.`;
  }
}
