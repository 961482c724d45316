import type { Clock } from '#shared/clock.ts';
import type { SessionEvents } from '../sessions/session-events.ts';

type AgentArrivalsParts = {
  /** Events of the sessions that this control plane owns. */
  events: SessionEvents;
  clock: Clock;
  /** Longest wait for an agent, from the opening of its call. 0: none. */
  withinMs: number;
};

export type ExpectedAgent = {
  /** Resolves when the agent listens, its call has ended, or the time is over. */
  arrived: Promise<void>;
  /** Ends the wait and its timer. */
  forget: () => void;
};

/**
 * Delays the answer to an opened call until its agent is in the room: the media server drops texts
 * that a user types earlier.
 */
export class AgentArrivals {
  readonly #clock: Clock;
  readonly #withinMs: number;
  /** By call id. */
  readonly #expected = new Map<string, () => void>();

  constructor({ events, clock, withinMs }: AgentArrivalsParts) {
    this.#clock = clock;
    this.#withinMs = withinMs;
    events.on('session.started', ({ session: { kind, callId } }) => {
      if (kind === 'agent') this.#settle(callId);
    });
    events.on('session.ended', ({ session: { callId } }) => this.#settle(callId));
  }

  /** Call it before the call opens, so that no event is missed. */
  expect(callId: string): ExpectedAgent {
    const { promise: arrived, resolve } = Promise.withResolvers<void>();
    if (this.#withinMs === 0) resolve();
    const cancel = this.#clock.after(this.#withinMs, resolve);
    this.#expected.set(callId, resolve);
    return {
      arrived,
      forget: () => {
        cancel();
        this.#expected.delete(callId);
      },
    };
  }

  #settle(callId: string | null): void {
    if (callId !== null) this.#expected.get(callId)?.();
  }
}
