import { AUDIO_RATE } from '#protocol/audio.ts';

/** Sound waits this long when it begins, so that a late record leaves no gap. */
const JITTER_SECONDS = 0.08;
/** While more sound waits, after a stall of the network, silence is left out. */
const MAX_SILENCE_SECONDS = 0.2;
/** While more sound waits, speech is left out too. See `PictureQueue` for the pictures. */
const MAX_WAITING_SECONDS = 2;
const FULL_SCALE = 32_768;

/** Plays PCM, one piece directly after another. Create it in a click handler, or it is blocked. */
export class SoundPlayer {
  readonly #context = new AudioContext({ sampleRate: AUDIO_RATE, latencyHint: 'interactive' });
  /** The played sound, for a level meter. Muting does not change it. */
  readonly sound: AudioNode = this.#context.createGain();
  readonly #volume = this.#context.createGain();
  readonly #playing = new Set<AudioBufferSourceNode>();
  #latestAt = 0;
  #endsAt = 0;

  constructor(onBlocked: (isBlocked: boolean) => void) {
    this.sound.connect(this.#volume);
    this.#volume.connect(this.#context.destination);
    this.#context.addEventListener('statechange', () => {
      if (this.#context.state !== 'closed') onBlocked(this.isBlocked);
    });
  }

  get isBlocked(): boolean {
    return this.#context.state !== 'running';
  }

  /** Seconds on the player's clock, up to which sound has left the speakers. */
  get heardAt(): number {
    // Not every browser knows its output latency.
    const { outputLatency } = this.#context as { outputLatency?: number };
    return this.#context.currentTime - (outputLatency ?? 0);
  }

  /** When the latest piece is heard. Null: nothing is playing. */
  get latestAt(): number | null {
    return !this.isBlocked && this.#waitingSeconds > 0 ? this.#latestAt : null;
  }

  /** Interleaved 16-bit samples. */
  play(pcm: Uint8Array, sampleRate: number, channels: number): void {
    // A blocked context stands still: the sound would be heard later, all at once.
    if (this.isBlocked || this.#isLate(pcm)) return;
    const view = new DataView(pcm.buffer, pcm.byteOffset, pcm.byteLength);
    const frames = Math.floor(pcm.length / 2 / channels);
    if (frames === 0) return;
    const buffer = this.#context.createBuffer(channels, frames, sampleRate);
    for (let channel = 0; channel < channels; channel++) {
      const samples = buffer.getChannelData(channel);
      for (let i = 0; i < frames; i++)
        samples[i] = view.getInt16((i * channels + channel) * 2, true) / FULL_SCALE;
    }
    const source = this.#context.createBufferSource();
    source.buffer = buffer;
    source.connect(this.sound);
    source.addEventListener('ended', () => this.#playing.delete(source));
    this.#playing.add(source);
    const { currentTime } = this.#context;
    if (this.#endsAt < currentTime) this.#endsAt = currentTime + JITTER_SECONDS;
    source.start(this.#endsAt);
    this.#latestAt = this.#endsAt;
    this.#endsAt += buffer.duration;
  }

  /** Silences at once. */
  clear(): void {
    for (const source of this.#playing) source.stop();
    this.#playing.clear();
    this.#endsAt = 0;
  }

  set isMuted(isMuted: boolean) {
    this.#volume.gain.value = isMuted ? 0 : 1;
  }

  async wake(): Promise<void> {
    await this.#context.resume();
  }

  async close(): Promise<void> {
    if (this.#context.state !== 'closed') await this.#context.close();
  }

  get #waitingSeconds(): number {
    return this.#endsAt - this.#context.currentTime;
  }

  #isLate(pcm: Uint8Array): boolean {
    const seconds = this.#waitingSeconds;
    if (seconds > MAX_WAITING_SECONDS) return true;
    return seconds > MAX_SILENCE_SECONDS && pcm.every((byte) => byte === 0);
  }
}
