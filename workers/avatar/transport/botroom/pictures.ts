/** An unchanged picture is sent again after this, so that at least one arrives each second. */
const REPEAT_MS = 900;

type PicturesParts = {
  /** A JPEG, or null if the picture equals the last one. */
  encode: (i420: Uint8Array) => Uint8Array | null;
  /** `sinceMs`: media time since the first picture. */
  send: (jpeg: Uint8Array, sinceMs: number) => void;
  /** The network is too slow, or away: pictures are skipped, not queued. */
  isBlocked: () => boolean;
};

/** The pictures of a botroom. Before `start`, only the latest is kept. */
export class Pictures {
  readonly #parts: PicturesParts;
  #latest: { jpeg: Uint8Array; atMs: number } | null = null;
  #firstAtMs: number | null = null;
  #sentAtMs = -Infinity;
  #isStarted = false;
  /** Unchanged pictures are sent too. */
  sendsAll = false;

  constructor(parts: PicturesParts) {
    this.#parts = parts;
  }

  show(i420: Uint8Array, atMs: number): void {
    this.#firstAtMs ??= atMs;
    // The encoder compares with its last picture, so that must be the last one sent.
    if (this.#isStarted && this.#parts.isBlocked()) return;
    const changed = this.#parts.encode(i420);
    const jpeg = changed ?? this.#latest?.jpeg;
    if (!jpeg) return;
    this.#latest = { jpeg, atMs };
    const isDue = changed || this.sendsAll || atMs - this.#sentAtMs >= REPEAT_MS;
    if (this.#isStarted && isDue) this.#send();
  }

  /** Sends the latest picture at once, and all that follow. */
  start(): void {
    this.#isStarted = true;
    this.#send();
  }

  /** The receiver may know no picture: sends the next one even if it is unchanged. */
  restart(): void {
    this.#sentAtMs = -Infinity;
  }

  #send(): void {
    if (!this.#latest) return;
    const { jpeg, atMs } = this.#latest;
    this.#sentAtMs = atMs;
    this.#parts.send(jpeg, Math.round(atMs - this.#firstAtMs!));
  }
}
