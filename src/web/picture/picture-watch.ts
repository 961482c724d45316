import { advance, type PictureEvent, type PictureState } from './picture-state.ts';

const CHECK_EVERY_MS = 250;

export type PictureEvents = {
  /** The first picture, or the first after a freeze. */
  onPicture(): void;
  /** The video froze: its sender is gone or unreachable. */
  onGone(): void;
};

/** Detects frozen video. Ignores hidden pages, for which browsers draw nothing. */
export class PictureWatch {
  readonly #video: HTMLVideoElement;
  readonly #events: PictureEvents;
  readonly #check: number;
  #state: PictureState = { type: 'unseen' };

  constructor(video: HTMLVideoElement, events: PictureEvents) {
    this.#video = video;
    this.#events = events;
    this.#check = window.setInterval(
      () => this.#handle({ type: 'checked', at: performance.now(), isHidden: document.hidden }),
      CHECK_EVERY_MS,
    );
    this.#watch();
  }

  /** False before the first picture and while the video is frozen. */
  get isSeen(): boolean {
    return this.#state.type === 'seen';
  }

  close(): void {
    this.#handle({ type: 'closed' });
    window.clearInterval(this.#check);
  }

  /** Runs for every picture shown. */
  #watch(): void {
    this.#video.requestVideoFrameCallback(() => {
      if (this.#state.type === 'closed') return;
      this.#handle({ type: 'picture', at: performance.now() });
      this.#watch();
    });
  }

  #handle(event: PictureEvent): void {
    const { state, report } = advance(this.#state, event);
    this.#state = state;
    if (report === 'picture') this.#events.onPicture();
    if (report === 'gone') this.#events.onGone();
  }
}
