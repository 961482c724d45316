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
  readonly #events: PictureEvents;
  readonly #check: number;
  #state: PictureState = { type: 'unseen' };

  constructor(events: PictureEvents) {
    this.#events = events;
    this.#check = window.setInterval(
      () => this.#handle({ type: 'checked', at: performance.now(), isHidden: document.hidden }),
      CHECK_EVERY_MS,
    );
  }

  /** False before the first picture and while the video is frozen. */
  get isSeen(): boolean {
    return this.#state.type === 'seen';
  }

  get isClosed(): boolean {
    return this.#state.type === 'closed';
  }

  /** Called for every picture. */
  shown(): void {
    this.#handle({ type: 'picture', at: performance.now() });
  }

  close(): void {
    this.#handle({ type: 'closed' });
    window.clearInterval(this.#check);
  }

  #handle(event: PictureEvent): void {
    const { state, report } = advance(this.#state, event);
    this.#state = state;
    if (report === 'picture') this.#events.onPicture();
    if (report === 'gone') this.#events.onGone();
  }
}

/** Watches all that a video element shows. */
export function watchVideo(video: HTMLVideoElement, events: PictureEvents): PictureWatch {
  const watch = new PictureWatch(events);
  const onPicture = () => {
    if (watch.isClosed) return;
    watch.shown();
    video.requestVideoFrameCallback(onPicture);
  };
  video.requestVideoFrameCallback(onPicture);
  return watch;
}
