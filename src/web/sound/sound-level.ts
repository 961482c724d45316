/** How loud a track is just now, for showing. Made from a click, else the browser keeps it asleep. */
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

  /** 0 is silence, 1 is loud speech. */
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
