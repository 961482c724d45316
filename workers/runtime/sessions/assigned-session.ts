import type { Clock } from '#shared/clock.ts';
import type { Assign } from '#protocol/worker/gateway-messages.ts';
import { STILL_TEXT } from '#protocol/pictures/stills.ts';
import type { Placement } from '#protocol/placement.ts';
import type { Noted, OpenSegments, WorkerMessage } from '#protocol/worker/worker-messages.ts';
import {
  advanceAssignedSession,
  wasReleased,
  type AssignedSessionState,
} from './assigned-session-state.ts';
import { Journal } from '../reports/journal.ts';
import type { Perform, Performance } from '../performance.ts';

type AssignedSessionParts = {
  send: (message: WorkerMessage) => void;
  /** False without a connection, or when the gateway keeps no timelines. */
  sendTimeline: (message: Noted) => boolean;
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
  #state: AssignedSessionState = { type: 'performing' };
  /** Null while the assignment's token is the best one. */
  #renewedToken: string | null = null;
  /** Null until the agent sends a stream. */
  #openSegments: OpenSegments | null = null;

  /** Throws when `perform` cannot take the assignment. */
  constructor(
    assign: Assign,
    perform: Perform,
    { send, sendTimeline, clock }: AssignedSessionParts,
  ) {
    const { placement } = assign;
    this.placement = placement;
    this.#send = send;
    this.#journal = new Journal({ placement, clock, send: sendTimeline });
    this.performance = perform(assign, {
      renewed: (token) => {
        this.#renewedToken = token;
        this.#sendToken();
      },
      speechProgressed: (open) => {
        this.#openSegments = open;
        this.#sendSpeech();
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
    this.#state = advanceAssignedSession(this.#state, 'released');
    this.flushTimeline();
    this.#sendReleased();
    return isInRoom;
  }

  sendStill(): void {
    const { placement, performance } = this;
    const picture = performance.still?.();
    const jpeg = picture ? Buffer.from(picture).toString('base64') : '';
    // The gateway expels a worker whose message breaks the protocol.
    const isShown = jpeg !== '' && jpeg.length <= STILL_TEXT.maxLength;
    this.#send({ type: 'still', placement, ...(isShown && { jpeg }) });
  }

  leave(): void {
    this.#state = advanceAssignedSession(this.#state, 'leaving');
  }

  /** Call on every new connection. */
  resend(): void {
    this.flushTimeline();
    this.#sendToken();
    this.#sendSpeech();
    this.#sendReleased();
  }

  /** Call before a report: events must not arrive after the report that ends the session. */
  flushTimeline(): void {
    if (!this.#isForgotten) this.#journal.flush();
  }

  forget(): void {
    this.#journal.close();
    this.#state = advanceAssignedSession(this.#state, 'forgotten');
  }

  #sendToken(): void {
    const { placement } = this;
    if (this.#renewedToken !== null)
      this.#sendUnlessForgotten({ type: 'renewed', placement, token: this.#renewedToken });
  }

  #sendSpeech(): void {
    const { placement } = this;
    if (this.#openSegments !== null)
      this.#sendUnlessForgotten({ type: 'speech', placement, open: this.#openSegments });
  }

  #sendReleased(): void {
    if (this.isReleased) this.#sendUnlessForgotten({ type: 'released', placement: this.placement });
  }

  #sendUnlessForgotten(message: WorkerMessage): void {
    if (!this.#isForgotten) this.#send(message);
  }
}
