/** Current level of a track. Create it in a click handler, or the browser suspends its context. */
export class SoundLevel {
  readonly #context = new AudioContext();
  readonly #analyser = this.#context.createAnalyser();
  readonly #samples: Float32Array<ArrayBuffer>;
  #source: MediaStreamAudioSourceNode | null = null;

  constructor() {
    this.#analyser.fftSize = 1024;
    this.#samples = new Float32Array(this.#analyser.fftSize);
  }

  listen(track: MediaStreamTrack): void {
    this.#source?.disconnect();
    this.#source = this.#context.createMediaStreamSource(new MediaStream([track]));
    this.#source.connect(this.#analyser);
  }

  async wake(): Promise<void> {
    await this.#context.resume();
  }

  /** Level from 0 (silence) to 1 (loud speech). */
  read(): number {
    this.#analyser.getFloatTimeDomainData(this.#samples);
    const power = this.#samples.reduce((sum, sample) => sum + sample * sample, 0);
    return Math.min(1, Math.sqrt(power / this.#samples.length) * 6);
  }

  async close(): Promise<void> {
    this.#source?.disconnect();
    if (this.#context.state !== 'closed') await this.#context.close();
  }
}
