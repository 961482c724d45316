/** An avatar moves even when it is silent; 25 pictures a second are expected. */
const STILL_MS = 1500;

export type PictureEvents = {
  /** A picture is on the screen: the first one, or the first after it stood still. */
  onPicture(): void;
  /** The picture stands still: whoever made it is gone, or cannot be reached. */
  onGone(): void;
};

/** Sees whether pictures still come. A browser draws none for a hidden page: that is no loss of the avatar. */
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

  /** False while nobody is seen, or the picture stands still. */
  get isSeen(): boolean {
    return this.#isSeen;
  }

  close(): void {
    this.#isClosed = true;
    window.clearInterval(this.#check);
  }

  /** Runs with every picture shown. */
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
