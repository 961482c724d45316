import type { Clock } from '#shared/clock.ts';
import type { Assign } from '#protocol/gateway-messages.ts';
import type { Noted, OpenSegments, Placement, WorkerMessage } from '#protocol/worker-messages.ts';
import { Journal } from './journal.ts';
import type { Perform, Performance } from './performance.ts';

/*
 * A session's stay on this worker.
 *
 * performing  occupies a slot
 * released    silent, but still in the room and in its slot until its successor replaces it
 * leaving     leaves the room. The gateway has given its slot to another session.
 * forgotten   closed or closing; the worker reports nothing more about it
 */
export type SessionState =
  | { type: 'performing' }
  | { type: 'released' }
  | { type: 'leaving'; wasReleased: boolean }
  | { type: 'forgotten' };

type SessionEvent = 'released' | 'leaving' | 'forgotten';

export function advance(state: SessionState, event: SessionEvent): SessionState {
  if (state.type === 'forgotten') return state;

  switch (event) {
    case 'released':
      // The order to leave may arrive while the session falls silent.
      if (state.type === 'leaving') return { type: 'leaving', wasReleased: true };
      return { type: 'released' };
    case 'leaving':
      return { type: 'leaving', wasReleased: wasReleased(state) };
    case 'forgotten':
      return { type: 'forgotten' };
  }
}

const wasReleased = (state: SessionState): boolean =>
  state.type === 'released' || (state.type === 'leaving' && state.wasReleased);

type AssignedSessionParts = {
  send: (message: WorkerMessage) => void;
  /** False without a connection, or when the gateway keeps no timelines. */
  note: (message: Noted) => boolean;
  clock: Clock;
};

/**
 * A session assigned to this worker, and the messages about it that need no acknowledgement: the
 * latest of each kind is sent again on every connection.
 */
export class AssignedSession {
  readonly placement: Placement;
  readonly performance: Performance;
  readonly #send: (message: WorkerMessage) => void;
  readonly #journal: Journal;
  #state: SessionState = { type: 'performing' };
  /** Null while the assignment's token is the best one. */
  #renewedToken: string | null = null;
  /** Null until the agent sends a stream. */
  #open: OpenSegments | null = null;

  /** Throws when `perform` cannot take the assignment. */
  constructor(assign: Assign, perform: Perform, { send, note, clock }: AssignedSessionParts) {
    const { placement } = assign;
    this.placement = placement;
    this.#send = send;
    this.#journal = new Journal({ placement, clock, send: note });
    this.performance = perform(assign, {
      renewed: (token) => {
        this.#renewedToken = token;
        this.#sendToken();
      },
      spoke: (open) => {
        this.#open = open;
        this.#sendOpen();
      },
      record: (event) => {
        if (!this.#isForgotten) this.#journal.record(event);
      },
    });
  }

  get isLeaving(): boolean {
    return this.#state.type === 'leaving';
  }

  get isReleased(): boolean {
    return wasReleased(this.#state);
  }

  get #isForgotten(): boolean {
    return this.#state.type === 'forgotten';
  }

  /** See `Performance.release`. */
  async release(withinMs: number): Promise<boolean> {
    const isInRoom = await this.performance.release(withinMs);
    this.#state = advance(this.#state, 'released');
    this.flushTimeline();
    this.#sendReleased();
    return isInRoom;
  }

  leave(): void {
    this.#state = advance(this.#state, 'leaving');
  }

  /** Call on every new connection. */
  resend(): void {
    this.flushTimeline();
    this.#sendToken();
    this.#sendOpen();
    this.#sendReleased();
  }

  /** Call before a report: events must not arrive after the report that ends the session. */
  flushTimeline(): void {
    if (!this.#isForgotten) this.#journal.flush();
  }

  forget(): void {
    this.#journal.close();
    this.#state = advance(this.#state, 'forgotten');
  }

  #sendToken(): void {
    const { placement } = this;
    if (this.#renewedToken !== null)
      this.#sendUnlessForgotten({ type: 'renewed', placement, token: this.#renewedToken });
  }

  #sendOpen(): void {
    const { placement } = this;
    if (this.#open !== null)
      this.#sendUnlessForgotten({ type: 'speech', placement, open: this.#open });
  }

  #sendReleased(): void {
    if (this.isReleased) this.#sendUnlessForgotten({ type: 'released', placement: this.placement });
  }

  #sendUnlessForgotten(message: WorkerMessage): void {
    if (!this.#isForgotten) this.#send(message);
  }
}
