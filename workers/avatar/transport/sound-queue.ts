import { AudioFrame, type AudioSource } from '@livekit/rtc-node';
import { AUDIO_RATE } from '#protocol/audio.ts';

type Source = Pick<AudioSource, 'captureFrame' | 'clearQueue'>;
type Piece = { samples: Int16Array; onTaken: () => void };

/**
 * Gives audio to a source one piece at a time: the source rejects a second piece while the first
 * waits for room.
 */
export class SoundQueue {
  readonly #source: Source;
  readonly #onError: (error: unknown) => void;
  #waiting: Piece[] = [];
  #isGiving = false;
  /** Number of clears. Pieces taken before a clear are not reported after it. */
  #cleared = 0;

  constructor(source: Source, onError: (error: unknown) => void) {
    this.#source = source;
    this.#onError = onError;
  }

  /** `onTaken` is called when the source has taken the piece; not after a `clear`. */
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
        // The SDK takes audio on its own threads, and may have taken this piece after the clear.
        else this.#source.clearQueue();
      } catch (error) {
        this.#onError(error);
      }
    }
    this.#isGiving = false;
  }
}
