const WINDOW_SAMPLES = 1024;

/** Current level of a sound. Create it in a click handler, or the browser suspends its context. */
export class SoundLevel {
  readonly #context = new AudioContext();
  readonly #samples = new Float32Array(WINDOW_SAMPLES);
  #source: AudioNode | null = null;
  #analyser: AnalyserNode | null = null;

  /** Measures a node in its own context: Firefox connects no contexts of different sample rates. */
  listen(sound: MediaStreamTrack | AudioNode): void {
    this.#ignore();
    this.#source =
      sound instanceof AudioNode
        ? sound
        : this.#context.createMediaStreamSource(new MediaStream([sound]));
    this.#analyser = this.#source.context.createAnalyser();
    this.#analyser.fftSize = WINDOW_SAMPLES;
    this.#source.connect(this.#analyser);
  }

  async wake(): Promise<void> {
    await this.#context.resume();
  }

  /** Level from 0 (silence) to 1 (loud speech). */
  read(): number {
    if (!this.#analyser) return 0;
    this.#analyser.getFloatTimeDomainData(this.#samples);
    const power = this.#samples.reduce((sum, sample) => sum + sample * sample, 0);
    return Math.min(1, Math.sqrt(power / this.#samples.length) * 6);
  }

  async close(): Promise<void> {
    this.#ignore();
    if (this.#context.state !== 'closed') await this.#context.close();
  }

  #ignore(): void {
    if (this.#analyser) this.#source?.disconnect(this.#analyser);
    this.#analyser = null;
  }
}
