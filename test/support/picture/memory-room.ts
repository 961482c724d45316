import type { Clock } from '#shared/clock.ts';
import type { EndReason } from '#protocol/end-reasons.ts';
import {
  AUDIO_QUEUE_MS,
  type PictureSize,
  type PlaybackFinished,
  type Presence,
  type RoomListener,
  type Takeover,
  type Transport,
} from '../../../workers/avatar/transport/transport.ts';
import { AUDIO_RATE } from '#protocol/audio.ts';

const STEP = AUDIO_RATE / 100;
const SILENT_STEP = new Int16Array(STEP);

/**
 * An in-memory room. Its audio source plays 10 ms every 10 ms of the clock, as the real one does.
 * Everything published is kept with its time. The test calls the room's `listener`.
 */
export class MemoryRoom implements Transport {
  readonly startDelayMs = 5;
  readonly audioDelayMs = 25;
  readonly showsSmaller = true;
  readonly #clock: Clock;
  readonly #ended = Promise.withResolvers<EndReason>();
  #queue: Int16Array[] = [];
  /** Samples played, by the number of their 10 ms. Gaps are silence. */
  readonly #playedSteps = new Map<number, Int16Array>();
  #nextStep: number;
  readonly #answers = new Set<() => void>();
  listener: RoomListener | null = null;
  /** RPCs sent to the agent before any of it was heard. */
  takeover: Takeover | null = null;
  frames: { atMs: number; shownAt: number; firstLuma: number | undefined; width: number }[] = [];
  calls: ('started' | PlaybackFinished)[] = [];
  isPublished = false;
  isClosed = false;
  /** Delay before an empty source starts to play. */
  takesMs = 0;
  presence: Presence = { agentHere: true, participants: 1 };
  /** When set, delays or fails the join. */
  onJoin: () => Promise<void> = async () => {};
  onPublish: () => Promise<void> = async () => {};
  /** At once, unless a test says otherwise. */
  audible: Promise<void> = Promise.resolve();

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#nextStep = Math.ceil(clock.elapsed() / 10);
  }

  get ended(): Promise<EndReason> {
    return this.#ended.promise;
  }

  /** The room is closed by the server or an operator. */
  leave(reason: EndReason): void {
    this.#ended.resolve(reason);
  }

  async join(listener: RoomListener, takeover?: Takeover): Promise<void> {
    await this.onJoin();
    this.takeover = takeover ?? null;
    this.listener = listener;
    listener.present(this.presence);
    if (takeover) listener.answered();
  }

  async publish(): Promise<void> {
    await this.onPublish();
    this.isPublished = true;
  }

  playAudio(samples: Int16Array, onTaken: () => void): void {
    this.#play();
    if (samples.length % STEP !== 0) throw new Error('not a multiple of 10 ms');
    if (this.#queue.length === 0) this.#nextStep += this.takesMs / 10;
    for (let at = 0; at < samples.length; at += STEP) {
      this.#queue.push(samples.subarray(at, at + STEP));
    }
    this.#answer(onTaken);
  }

  playSilence(samples: number): void {
    this.playAudio(new Int16Array(samples), () => {});
  }

  clearAudio(): void {
    this.#play();
    this.#queue = [];
    this.#cancelAnswers();
  }

  showFrame(i420: Uint8Array, atMs: number, { width }: PictureSize): void {
    this.frames.push({ atMs, shownAt: this.#clock.elapsed(), firstLuma: i420[0], width });
  }

  playbackStarted(): void {
    this.calls.push('started');
  }

  playbackFinished(event: PlaybackFinished): void {
    this.calls.push(event);
  }

  get finished(): PlaybackFinished[] {
    return this.calls.filter((call) => call !== 'started');
  }

  async close(): Promise<void> {
    this.#cancelAnswers();
    this.isClosed = true;
  }

  /** The sound heard for `lengthMs` from `fromMs`, as far as it was played. */
  playedSound(fromMs: number, lengthMs: number): number[] {
    this.#play();
    const firstStep = Math.floor(fromMs / 10);
    const lastStep = Math.ceil((fromMs + lengthMs) / 10);
    const samples: number[] = [];
    for (let step = firstStep; step < lastStep; step++) {
      samples.push(...(this.#playedSteps.get(step) ?? SILENT_STEP));
    }
    const from = Math.round((fromMs - firstStep * 10) * (AUDIO_RATE / 1000));
    return samples.slice(from, from + Math.round(lengthMs * (AUDIO_RATE / 1000)));
  }

  get queuedMs(): number {
    this.#play();
    return this.#queue.length * 10;
  }

  #answer(onTaken: () => void): void {
    const endsAt = (this.#nextStep + this.#queue.length) * 10;
    const inMs = endsAt - AUDIO_QUEUE_MS - this.#clock.elapsed();
    if (inMs <= 0) return onTaken();
    const cancel = this.#clock.after(inMs, () => {
      this.#answers.delete(cancel);
      onTaken();
    });
    this.#answers.add(cancel);
  }

  #cancelAnswers(): void {
    for (const cancel of this.#answers) cancel();
    this.#answers.clear();
  }

  #play(): void {
    for (; this.#nextStep * 10 < this.#clock.elapsed(); this.#nextStep++) {
      const step = this.#queue.shift();
      if (step) this.#playedSteps.set(this.#nextStep, step);
    }
  }
}
