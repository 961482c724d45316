import {
  AudioStream,
  Room,
  RoomEvent,
  TrackKind,
  VideoStream,
  type RemoteTrack,
} from '@livekit/rtc-node';
import { unlessLeft } from '../../support/picture/left-track.ts';
import { machineMs } from '../rpc.ts';
import { leave } from '../../support/leave.ts';

/** Amplitude that counts as sound: above a codec's noise in silence. */
const LOUD = 400;

type Loudness = {
  atMs: number;
  peak: number;
  firstLoudMs: number | null;
  lastLoudMs: number | null;
};

/**
 * Decoded frames and sound with their times, by the machine's clock. `light` is the luma in the
 * middle of the picture, 0..255; `track` counts the video tracks.
 */
export type Seen = { frames: { atMs: number; light: number; track: number }[]; sound: Loudness[] };

/**
 * Totals since the start of a track: use the difference of two reports. `delayS` is the total
 * wait over all `emitted` samples or frames.
 */
export type TrackStats = {
  delayS: number;
  emitted: number;
  concealed: number;
};

/** A viewer that records when frames and sound leave the decoder. */
export class Viewer {
  readonly room = new Room();
  readonly #from: string;
  readonly #readers = new Map<RemoteTrack, ReadableStreamDefaultReader>();
  #videoTracks = 0;
  seen: Seen = { frames: [], sound: [] };
  #onFrame: ((atMs: number) => void) | null = null;
  #onSound: ((loudness: Loudness) => void) | null = null;

  /** Watches the tracks of the participant `from`. */
  constructor(from: string) {
    this.#from = from;
    this.room.on(RoomEvent.TrackSubscribed, (track, _publication, participant) => {
      if (participant.identity === this.#from) this.#watch(track).catch(unlessLeft);
    });
    // Otherwise the SDK gives the frames of the next track to this one's stream, too, before it announces that track.
    this.room.on(RoomEvent.TrackUnsubscribed, (track) => this.#stopReading(track));
  }

  async join(url: string, token: string): Promise<void> {
    await this.room.connect(url, token, { autoSubscribe: true, dynacast: false });
  }

  nextFrame(): Promise<number> {
    return new Promise((resolve) => (this.#onFrame = resolve));
  }

  /** Time of the first loud sample. */
  async untilLoud(): Promise<number> {
    for (;;) {
      const { firstLoudMs } = await this.#nextSound();
      if (firstLoudMs !== null) return firstLoudMs;
    }
  }

  /** Time of the last loud sample before `ms` of silence. */
  async untilSilent(ms: number): Promise<number> {
    let last = machineMs();
    for (;;) {
      const { atMs, lastLoudMs } = await this.#nextSound();
      if (lastLoudMs !== null) last = lastLoudMs;
      if (atMs - last > ms) return last;
    }
  }

  /** Resets `seen`. */
  forget(): void {
    this.seen = { frames: [], sound: [] };
  }

  async trackStats(kind: 'audio' | 'video'): Promise<TrackStats> {
    // With one connection for both directions all statistics are the publisher's.
    const { publisherStats, subscriberStats } = await this.room.getRtcStats();
    for (const { stats } of [...subscriberStats, ...publisherStats]) {
      if (stats.case !== 'inboundRtp') continue;
      const { stream, inbound } = stats.value;
      if (stream?.kind !== kind || !inbound) continue;
      return {
        delayS: inbound.jitterBufferDelay ?? 0,
        emitted: Number(inbound.jitterBufferEmittedCount ?? 0),
        concealed:
          Number(inbound.concealedSamples ?? 0) - Number(inbound.silentConcealedSamples ?? 0),
      };
    }
    return { delayS: 0, emitted: 0, concealed: 0 };
  }

  async leave(): Promise<void> {
    await leave(this.room);
    // The SDK neither announces nor ends a track that leaves at the same moment.
    for (const track of this.#readers.keys()) this.#stopReading(track);
  }

  #nextSound(): Promise<Loudness> {
    return new Promise((resolve) => (this.#onSound = resolve));
  }

  async *#read<Part>(track: RemoteTrack, stream: ReadableStream<Part>): AsyncGenerator<Part> {
    const reader = stream.getReader();
    this.#readers.set(track, reader);
    for (let read = await reader.read(); !read.done; read = await reader.read()) yield read.value;
  }

  #stopReading(track: RemoteTrack): void {
    void this.#readers.get(track)?.cancel();
    this.#readers.delete(track);
  }

  async #watch(track: RemoteTrack): Promise<void> {
    if (track.kind === TrackKind.KIND_VIDEO) {
      this.#videoTracks += 1;
      const number = this.#videoTracks;
      for await (const { frame } of this.#read(track, new VideoStream(track))) {
        const atMs = machineMs();
        this.seen.frames.push({
          atMs,
          light: frame.data[(frame.height / 2) * frame.width + frame.width / 2]!,
          track: number,
        });
        this.#onFrame?.(atMs);
        this.#onFrame = null;
      }
      return;
    }
    for await (const frame of this.#read(track, new AudioStream(track, 48_000, 1))) {
      const loudness = loudnessOf(frame.data, machineMs());
      this.seen.sound.push(loudness);
      const tell = this.#onSound;
      this.#onSound = null;
      tell?.(loudness);
    }
  }
}

/** `atMs` is the time of the frame's last sample. */
function loudnessOf(samples: Int16Array, atMs: number): Loudness {
  let peak = 0;
  let first: number | null = null;
  let last: number | null = null;
  for (let i = 0; i < samples.length; i++) {
    const size = Math.abs(samples[i]!);
    if (size > peak) peak = size;
    if (size > LOUD) {
      first ??= i;
      last = i;
    }
  }
  const at = (i: number | null) => (i === null ? null : atMs - (samples.length - i) / 48);
  return { atMs, peak, firstLoudMs: at(first), lastLoudMs: at(last) };
}
