/*
 * One session from the click to its end. Owns and closes the page's seats in it. An avatar waits
 * some seconds for a lost agent, so the page ends the session explicitly, which frees the slot at
 * once.
 */
import { PictureDeadline } from './picture-deadline.ts';
import { NoPicture, noticeOf, noticeOfEnding, type Notice } from '../notices.ts';
import type { Avatar, Service, Transport } from '../service.ts';
import type { SeatEvents, Seats } from './seats.ts';
import type { TryEvent } from './try-state.ts';

/** The first picture usually takes half a second; a worker that just started needs longer. */
const PICTURE_WITHIN_MS = 20_000;
/** The service itself waits 15 s for another slot when a worker is lost. */
const BACK_WITHIN_MS = 25_000;

export class LiveSession {
  readonly #service: Service;
  readonly #dispatch: (event: TryEvent) => void;
  readonly #seats: Seats;
  readonly #beganAt = performance.now();
  #id: string | null = null;
  #isOver = false;
  readonly #deadline = new PictureDeadline({
    isSeen: () => this.#seats.isSeen,
    hasEnded: () => this.#closeIfEnded(),
    onLate: () => void this.#endedFor(new NoPicture('no picture arrived')),
  });

  constructor(
    service: Service,
    takeSeats: (events: SeatEvents) => Seats,
    dispatch: (event: TryEvent) => void,
  ) {
    this.#service = service;
    this.#dispatch = (event) => {
      if (!this.#isOver) dispatch(event);
    };
    this.#seats = takeSeats({
      dispatch: this.#dispatch,
      onPicture: () => this.#onPicture(),
      onGone: () => this.#onGone(),
      onLost: (error) => {
        if (!this.#isOver) void this.#endedFor(error);
      },
    });
  }

  async open(avatar: Avatar, transport: Transport): Promise<void> {
    try {
      const opened = await this.#service.openSession(avatar.id, transport);
      this.#id = opened.id;
      this.#dispatch({ type: 'opened', sessionId: opened.id });
      if (this.#isOver) return await this.#service.endSession(opened.id);
      await this.#seats.join(opened);
      if (this.#isOver) return await this.#closeSeats();
      this.#dispatch({ type: 'joined' });
      // The picture may already be there: the agent's seat may join last.
      this.#deadline.expect(PICTURE_WITHIN_MS);
    } catch (error) {
      this.#fail(error);
    }
  }

  say(...args: Parameters<Seats['say']>): void {
    this.#seats.say(...args);
  }

  get isTextOnly(): boolean {
    return this.#seats.isTextOnly;
  }

  voice(...args: Parameters<Seats['voice']>): ReturnType<Seats['voice']> {
    return this.#seats.voice(...args);
  }

  async stop(): Promise<void> {
    await this.#seats.stop().catch((error: unknown) => this.#fail(error));
  }

  async allowSound(): Promise<void> {
    await this.#seats.allowSound();
  }

  /** Leaves without an event. A page being unloaded has no time to wait between the steps. */
  async close(isPageLeft = false): Promise<void> {
    if (this.#isOver) return;
    this.#isOver = true;
    const seats = this.#closeSeats();
    // Ending the session closes the room, which a connected client reports as an error.
    if (!isPageLeft) await seats;
    const ended = this.#id && this.#service.endSession(this.#id).catch(() => {});
    await Promise.all([ended, seats]);
  }

  #onPicture(): void {
    this.#deadline.cancel();
    this.#dispatch({ type: 'picture', afterMs: performance.now() - this.#beganAt });
  }

  #onGone(): void {
    this.#dispatch({ type: 'presence', presence: 'away' });
    this.#deadline.expect(BACK_WITHIN_MS);
  }

  async #closeIfEnded(): Promise<boolean> {
    const ending = await this.#ending();
    if (ending) this.#fail(null, ending);
    return ending !== null;
  }

  /** Prefers the service's end reason over the local `error`. */
  async #endedFor(error: Error): Promise<void> {
    try {
      const ending = await this.#ending();
      this.#fail(error, ending ?? undefined);
    } catch (problem) {
      this.#fail(problem);
    }
  }

  async #ending(): Promise<Notice | null> {
    if (!this.#id) return null;
    const { status, end_reason: reason } = await this.#service.session(this.#id);
    return status.type === 'completed' ? noticeOfEnding(reason) : null;
  }

  #fail(error: unknown, notice = noticeOf(error)): void {
    if (this.#isOver) return;
    if (error) console.warn('session failed', error);
    this.#dispatch({ type: 'over', notice });
    void this.close();
  }

  async #closeSeats(): Promise<void> {
    this.#deadline.cancel();
    await this.#seats.close();
  }
}
