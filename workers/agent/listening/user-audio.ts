/** Sample rate of what the worker listens to. */
export const HEARD_RATE = 16_000;
const SAMPLES_PER_MS = HEARD_RATE / 1_000;

/** The last seconds of a user's sound, addressed by milliseconds since its start. */
export class UserAudio {
  readonly #samples: Int16Array<ArrayBuffer>;
  /** Samples so far, also those that were overwritten. */
  #count = 0;

  constructor(seconds: number) {
    this.#samples = new Int16Array(seconds * HEARD_RATE);
  }

  get ms(): number {
    return this.#count / SAMPLES_PER_MS;
  }

  push(samples: Int16Array): void {
    const { length } = this.#samples;
    for (const sample of samples) this.#samples[this.#count++ % length] = sample;
  }

  /** Without what is overwritten or has not come yet. */
  between(fromMs: number, toMs: number): Int16Array<ArrayBuffer> {
    const { length } = this.#samples;
    const first = Math.max(0, Math.floor(fromMs * SAMPLES_PER_MS), this.#count - length);
    const last = Math.min(this.#count, Math.floor(toMs * SAMPLES_PER_MS));
    const samples = new Int16Array(Math.max(0, last - first));
    for (let i = 0; i < samples.length; i++) samples[i] = this.#samples[(first + i) % length]!;
    return samples;
  }
}
