import { AUDIO_RATE } from '#protocol/audio.ts';

export const FRAME_MS = 40;
const FRAME_RATE = 16_000;
const FRAME_SAMPLES = (FRAME_RATE * FRAME_MS) / 1_000;
const DECIMATION = AUDIO_RATE / FRAME_RATE;

/** Sound of a worker in frames of 16 kHz, by which clients align their copy of the speech. */
export class FrameSound {
  #samples: number[] = [];

  add(samples: Int16Array): Uint8Array[] {
    for (let at = 0; at + DECIMATION <= samples.length; at += DECIMATION) {
      let sum = 0;
      for (let i = at; i < at + DECIMATION; i++) sum += samples[i]!;
      this.#samples.push(Math.round(sum / DECIMATION));
    }
    const frames: Uint8Array[] = [];
    while (this.#samples.length >= FRAME_SAMPLES)
      frames.push(bytesOf(this.#samples.splice(0, FRAME_SAMPLES)));
    return frames;
  }

  /** The last frame, filled with silence. */
  rest(): Uint8Array[] {
    if (this.#samples.length === 0) return [];
    const samples = this.#samples;
    this.#samples = [];
    return [bytesOf(samples)];
  }

  clear(): void {
    this.#samples = [];
  }
}

function bytesOf(samples: number[]): Uint8Array {
  const frame = new Int16Array(FRAME_SAMPLES);
  frame.set(samples);
  return new Uint8Array(frame.buffer);
}

/** A copy: the bytes of a message may begin anywhere. */
export const samplesOf = (pcm: Uint8Array): Int16Array =>
  new Int16Array(new Uint8Array(pcm.subarray(0, pcm.length - (pcm.length % 2))).buffer);
