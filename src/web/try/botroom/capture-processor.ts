/* Runs in the audio thread: collects pieces of 20 ms and posts them as 16-bit samples. */

declare class AudioWorkletProcessor {
  readonly port: MessagePort;
}
declare function registerProcessor(name: string, processor: unknown): void;
declare const sampleRate: number;

const FULL_SCALE = 32_767;

const PIECE_SAMPLES = Math.round(sampleRate / 50);

class Capture extends AudioWorkletProcessor {
  #piece = new Int16Array(PIECE_SAMPLES);
  #filled = 0;

  process([input]: Float32Array[][]): boolean {
    for (const sample of input?.[0] ?? []) {
      this.#piece[this.#filled++] = Math.max(-1, Math.min(1, sample)) * FULL_SCALE;
      if (this.#filled === PIECE_SAMPLES) this.#post();
    }
    return true;
  }

  #post(): void {
    this.port.postMessage(this.#piece, [this.#piece.buffer]);
    // A transferred array is empty.
    this.#piece = new Int16Array(PIECE_SAMPLES);
    this.#filled = 0;
  }
}

registerProcessor('capture', Capture);
