import {
  AudioStream,
  Room,
  RoomEvent,
  TrackKind,
  VideoStream,
  type RemoteTrack,
} from '@livekit/rtc-node';
import { until } from './until.ts';

const RATE = 48_000;
/** Above what a codec makes of silence. */
const LOUD = 400;
/** What journeys say: a tone that rises by this much each second, so that what is heard tells its own place in the speech. */
export const RISING = { fromHertz: 300, hertzPerSecond: 100 };

/** Somebody in the room who sees and hears one participant, and can say afterwards what. */
export class Witness {
  readonly #room = new Room();
  readonly #of: string;
  #frames = 0;
  #heard: Int16Array[] = [];

  constructor(of: string) {
    this.#of = of;
    this.#room.on(RoomEvent.TrackSubscribed, (track, _publication, { identity }) => {
      if (identity !== this.#of) return;
      void (track.kind === TrackKind.KIND_VIDEO ? this.#watch(track) : this.#listen(track));
    });
  }

  join(url: string, token: string): Promise<void> {
    return this.#room.connect(url, token, { autoSubscribe: true, dynacast: false });
  }

  get frames(): number {
    return this.#frames;
  }

  /** Resolves when `count` more frames came. */
  async sees(count: number, patienceMs = 20_000): Promise<void> {
    const enough = this.#frames + count;
    await until(() => this.#frames >= enough, patienceMs);
  }

  /** Resolves when `seconds` of the rising tone can be told from what is heard. */
  async hears(seconds: number, patienceMs = 20_000): Promise<void> {
    await until(() => (this.lastHeard() ?? 0) >= seconds, patienceMs);
  }

  async hearsNothingFor(seconds: number): Promise<void> {
    await until(() => this.#silence() >= seconds * RATE, 20_000);
  }

  /** Forgets what was heard so far. */
  forget(): void {
    this.#heard = [];
  }

  /** Which second of the rising tone was the last that was heard; null when there was no sound. */
  lastHeard(): number | null {
    const samples = this.#lastSamples(RATE);
    const end = samples.findLastIndex((sample) => Math.abs(sample) > LOUD);
    // The last moments may be the fading of what was cut off.
    const fading = 0.02 * RATE;
    const window = samples.subarray(Math.max(0, end - fading - 0.06 * RATE), end - fading);
    if (end < 0 || window.length < 0.05 * RATE) return null;
    const middle = 0.05;
    return (pitch(window) - RISING.fromHertz) / RISING.hertzPerSecond + middle;
  }

  leave(): Promise<void> {
    return this.#room.disconnect();
  }

  async #watch(track: RemoteTrack): Promise<void> {
    for await (const _ of new VideoStream(track)) this.#frames += 1;
  }

  async #listen(track: RemoteTrack): Promise<void> {
    for await (const { data } of new AudioStream(track, RATE, 1)) this.#heard.push(data.slice());
  }

  /** Up to the last loud sample and a little more than `length` before it. */
  #lastSamples(length: number): Int16Array {
    const last = this.#heard.findLastIndex((chunk) => chunk.some((s) => Math.abs(s) > LOUD));
    const chunks: Int16Array[] = [];
    for (let at = last, have = 0; at >= 0 && have < length; at--) {
      chunks.unshift(this.#heard[at]!);
      have += this.#heard[at]!.length;
    }
    return Int16Array.from(chunks.flatMap((chunk) => [...chunk]));
  }

  #silence(): number {
    const last = this.#heard.findLastIndex((chunk) => chunk.some((s) => Math.abs(s) > LOUD));
    return this.#heard.slice(last + 1).reduce((sum, chunk) => sum + chunk.length, 0);
  }
}

/** From the rising zero crossings, each found between two samples. */
function pitch(samples: Int16Array): number {
  const crossings: number[] = [];
  for (let i = 1; i < samples.length; i++) {
    const [a, b] = [samples[i - 1]!, samples[i]!];
    if (a < 0 && b >= 0) crossings.push(i - 1 + a / (a - b));
  }
  const [first, last] = [crossings[0] ?? 0, crossings.at(-1) ?? 0];
  return ((crossings.length - 1) * RATE) / (last - first);
}
