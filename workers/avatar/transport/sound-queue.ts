import { AudioFrame, type AudioSource } from '@livekit/rtc-node';
import { AUDIO_RATE } from './transport.ts';

type Source = Pick<AudioSource, 'captureFrame' | 'clearQueue'>;
type Piece = { samples: Int16Array; onTaken: () => void };

/** Gives sound to an audio source one piece after the other: it refuses a second one while the first waits for room in it. */
export class SoundQueue {
  readonly #source: Source;
  readonly #onError: (error: unknown) => void;
  #waiting: Piece[] = [];
  #isGiving = false;
  /** Counts the times that it was cleared: what the source took before means nothing afterwards. */
  #cleared = 0;

  constructor(source: Source, onError: (error: unknown) => void) {
    this.#source = source;
    this.#onError = onError;
  }

  /** `onTaken` is called once the source holds no more than its queue; not after a `clear`. */
  play(samples: Int16Array, onTaken: () => void): void {
    this.#waiting.push({ samples, onTaken });
    if (!this.#isGiving) void this.#give();
  }

  clear(): void {
    this.#waiting = [];
    this.#cleared += 1;
    this.#source.clearQueue();
  }

  async #give(): Promise<void> {
    this.#isGiving = true;
    for (let piece = this.#waiting.shift(); piece; piece = this.#waiting.shift()) {
      const { samples, onTaken } = piece;
      const cleared = this.#cleared;
      try {
        await this.#source.captureFrame(new AudioFrame(samples, AUDIO_RATE, 1, samples.length));
        if (cleared === this.#cleared) onTaken();
        // The SDK takes sound in threads of its own: it may have taken this only after the clear.
        else this.#source.clearQueue();
      } catch (error) {
        this.#onError(error);
      }
    }
    this.#isGiving = false;
  }
}
