import localInference from '@livekit/local-inference';
import { HEARD_RATE } from './user-audio.ts';

/** Probability that a window of the sound holds a voice. */
type Activity = { startMs: number; endMs: number; probability: number };

export type VoiceActivity = {
  /** Yields what follows from mono sound at `HEARD_RATE`, in order. Call it in turn. */
  push(samples: Int16Array): AsyncIterable<Activity>;
};

const { createVad, VAD_WINDOW_SAMPLES } = localInference;
const WINDOW_MS = (VAD_WINDOW_SAMPLES / HEARD_RATE) * 1_000;

/** Voice activity by Silero's network, which comes with LiveKit's framework. */
export class SileroActivity implements VoiceActivity {
  readonly #vad = createVad();
  readonly #window = new Int16Array(VAD_WINDOW_SAMPLES);
  #filled = 0;
  #windowCount = 0;

  async *push(samples: Int16Array): AsyncGenerator<Activity> {
    for (let at = 0; at < samples.length;) {
      const part = samples.subarray(at, at + VAD_WINDOW_SAMPLES - this.#filled);
      this.#window.set(part, this.#filled);
      this.#filled += part.length;
      at += part.length;
      if (this.#filled < VAD_WINDOW_SAMPLES) return;
      this.#filled = 0;
      const probability = await this.#vad.predict(this.#window);
      const startMs = this.#windowCount++ * WINDOW_MS;
      yield { startMs, endMs: startMs + WINDOW_MS, probability };
    }
  }
}
