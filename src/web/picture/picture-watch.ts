/** Longest gap between pictures. Avatars move even when silent, at 25 pictures per second. */
const STILL_MS = 1500;

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
  #lastPictureAt = 0;
  #isSeen = false;
  #isClosed = false;

  constructor(video: HTMLVideoElement, events: PictureEvents) {
    this.#video = video;
    this.#events = events;
    this.#check = window.setInterval(() => this.#checkPicture(), 250);
    this.#watch();
  }

  /** False before the first picture and while the video is frozen. */
  get isSeen(): boolean {
    return this.#isSeen;
  }

  close(): void {
    this.#isClosed = true;
    window.clearInterval(this.#check);
  }

  /** Runs for every picture shown. */
  #watch(): void {
    const onPicture = () => {
      if (this.#isClosed) return;
      this.#lastPictureAt = performance.now();
      if (!this.#isSeen) {
        this.#isSeen = true;
        this.#events.onPicture();
      }
      this.#video.requestVideoFrameCallback(onPicture);
    };
    this.#video.requestVideoFrameCallback(onPicture);
  }

  #checkPicture(): void {
    if (document.hidden) this.#lastPictureAt = performance.now();
    if (!this.#isSeen || performance.now() - this.#lastPictureAt < STILL_MS) return;
    this.#isSeen = false;
    this.#events.onGone();
  }
}
