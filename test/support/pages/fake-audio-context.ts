/** The parts of WebAudio that pages use for sound. Time stands still until a test moves it. */
export class FakeAudioContext extends EventTarget {
  /** Created since the list was emptied. */
  static readonly instances: FakeAudioContext[] = [];

  readonly sampleRate: number;
  readonly destination = {};
  readonly started: FakeSource[] = [];
  readonly gain = { value: 1 };
  currentTime = 0;
  outputLatency = 0;
  state: AudioContextState = 'running';

  constructor({ sampleRate = 48_000 }: AudioContextOptions = {}) {
    super();
    this.sampleRate = sampleRate;
    FakeAudioContext.instances.push(this);
  }

  /** Heard at `at`: the first sample of each piece that plays then. */
  heardAt(at: number): number[] {
    return this.started
      .filter(({ from, until }) => from <= at + 1e-9 && at + 1e-9 < until)
      .map(({ buffer }) => Math.round(buffer!.getChannelData(0)[0]! * 32_768));
  }

  createGain() {
    return { gain: this.gain, connect: () => {} };
  }

  createBuffer(numberOfChannels: number, length: number, sampleRate: number) {
    const channels = Array.from({ length: numberOfChannels }, () => new Float32Array(length));
    return {
      numberOfChannels,
      duration: length / sampleRate,
      getChannelData: (index: number) => channels[index]!,
    };
  }

  createBufferSource(): FakeSource {
    return new FakeSource(this);
  }

  change(state: AudioContextState): void {
    this.state = state;
    this.dispatchEvent(new Event('statechange'));
  }

  async resume(): Promise<void> {
    this.change('running');
  }

  async close(): Promise<void> {
    this.change('closed');
  }
}

class FakeSource extends EventTarget {
  readonly #context: FakeAudioContext;
  buffer: ReturnType<FakeAudioContext['createBuffer']> | null = null;
  from = 0;
  until = 0;

  constructor(context: FakeAudioContext) {
    super();
    this.#context = context;
  }

  connect(): void {}

  start(at: number): void {
    this.from = at;
    this.until = at + this.buffer!.duration;
    this.#context.started.push(this);
  }

  stop(): void {
    this.until = Math.min(this.until, this.#context.currentTime);
  }
}
