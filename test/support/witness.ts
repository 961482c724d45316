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
/** Long enough for a pitch that is good to a hertz. */
const WINDOW_S = 0.06;
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

  /** Which second of the rising tone was the last that was heard clearly; null when there was none. */
  lastHeard(): number | null {
    const samples = this.#lastSamples(RATE);
    const length = WINDOW_S * RATE;
    // Backwards over what is no clean tone: the fading of what was cut off, and what a starved decoder made up.
    for (let end = samples.length; end >= length; end -= length / 8) {
      const hertz = pitch(samples.subarray(end - length, end));
      if (hertz !== null) {
        return (hertz - RISING.fromHertz) / RISING.hertzPerSecond + WINDOW_S / 2;
      }
    }
    return null;
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

/** From the rising zero crossings, each found between two samples; null when they are not as even as a tone's. */
function pitch(samples: Int16Array): number | null {
  if (!samples.some((sample) => sample > LOUD)) return null;
  const crossings: number[] = [];
  for (let i = 1; i < samples.length; i++) {
    const [a, b] = [samples[i - 1]!, samples[i]!];
    if (a < 0 && b >= 0) crossings.push(i - 1 + a / (a - b));
  }
  const periods = crossings.slice(1).map((at, i) => at - crossings[i]!);
  const mean = (crossings.at(-1)! - crossings[0]!) / periods.length;
  const isTone = periods.length > 8 && periods.every((one) => Math.abs(one / mean - 1) < 0.08);
  return isTone ? RATE / mean : null;
}
