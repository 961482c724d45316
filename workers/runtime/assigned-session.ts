import type { Clock } from '#shared/clock.ts';
import type { Assign } from '#protocol/gateway-messages.ts';
import type { Noted, OpenSegments, Placement, WorkerMessage } from '#protocol/worker-messages.ts';
import { Journal } from './journal.ts';
import type { Perform, Performance } from './performance.ts';

export type AssignedSessionParts = {
  send: (message: WorkerMessage) => void;
  /** False when no flight record is kept, or there is no connection. */
  note: (message: Noted) => boolean;
  clock: Clock;
};

/** One session that a worker holds, with what is said of it and not acknowledged: the newest of each, again on every connection. */
export class AssignedSession {
  readonly placement: Placement;
  readonly performance: Performance;
  readonly #send: (message: WorkerMessage) => void;
  readonly #journal: Journal;
  /** It leaves the room. */
  isLeaving = false;
  #isForgotten = false;
  #isReleased = false;
  /** The newest that the room gave; null: the assignment's is the best one. */
  #renewedToken: string | null = null;
  /** What the agent waits for; null: it has sent no stream. */
  #open: OpenSegments | null = null;

  /** Throws when it cannot be performed. */
  constructor(assign: Assign, perform: Perform, { send, note, clock }: AssignedSessionParts) {
    const { placement } = assign;
    this.placement = placement;
    this.#send = send;
    this.#journal = new Journal({ placement, clock, send: note });
    this.performance = perform(assign, {
      renewed: (token) => {
        this.#renewedToken = token;
        this.#sayToken();
      },
      spoke: (open) => {
        this.#open = open;
        this.#sayOpen();
      },
      noted: (happening) => {
        if (!this.#isForgotten) this.#journal.note(happening);
      },
    });
  }

  /** It is silent, and stays so until its successor has taken its place in the room. */
  get isReleased(): boolean {
    return this.#isReleased;
  }

  /** As the performance's own. */
  async release(withinMs: number): Promise<boolean> {
    const isInRoom = await this.performance.release(withinMs);
    this.#isReleased = true;
    this.sayNotes();
    this.#sayReleased();
    return isInRoom;
  }

  /** A connection stands. */
  sayAll(): void {
    this.sayNotes();
    this.#sayToken();
    this.#sayOpen();
    this.#sayReleased();
  }

  /** What was noted, now: what is said next ends the session here. */
  sayNotes(): void {
    if (!this.#isForgotten) this.#journal.say();
  }

  /** Whatever it still does, nothing more is said of it. */
  forget(): void {
    this.#journal.close();
    this.#isForgotten = true;
  }

  #sayToken(): void {
    const { placement } = this;
    if (this.#renewedToken !== null)
      this.#say({ type: 'renewed', placement, token: this.#renewedToken });
  }

  #sayOpen(): void {
    const { placement } = this;
    if (this.#open !== null) this.#say({ type: 'speech', placement, open: this.#open });
  }

  #sayReleased(): void {
    if (this.#isReleased) this.#say({ type: 'released', placement: this.placement });
  }

  #say(message: WorkerMessage): void {
    if (!this.#isForgotten) this.#send(message);
  }
}
