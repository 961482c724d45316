import type { Room } from '@livekit/rtc-node';
import { Listener } from '../../../stage/listener.ts';
import { machineMs } from '../../rpc.ts';

/** Amplitude that counts as sound: above a codec's noise in silence. */
const LOUD = 400;

type Loudness = {
  atMs: number;
  peak: number;
  firstLoudMs: number | null;
  lastLoudMs: number | null;
};

type Frame = { atMs: number; light: number };

/**
 * Decoded frames and sound with their times, by the machine's clock. `light` is the luma in the
 * middle of the picture, 0..255.
 */
export type Recording = { frames: Frame[]; sound: Loudness[] };

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
  readonly #listener: Listener;
  recording: Recording = { frames: [], sound: [] };
  /** The last ones, also after `forget`. */
  #frame: Frame | null = null;
  #sound: Loudness | null = null;

  /** Watches the tracks of the participant `from`. */
  constructor(from: string) {
    this.#listener = new Listener(
      {
        picture: ({ data, width, height }) => {
          const atMs = machineMs();
          this.#frame = { atMs, light: data[(height / 2) * width + width / 2]! };
          this.recording.frames.push(this.#frame);
        },
        sound: (samples) => {
          this.#sound = loudnessOf(samples, machineMs());
          this.recording.sound.push(this.#sound);
        },
      },
      from,
    );
  }

  get room(): Room {
    return this.#listener.room;
  }

  join(url: string, token: string): Promise<void> {
    return this.#listener.join(url, token);
  }

  nextFrame(): Promise<number> {
    const earlierFrame = this.#frame;
    return this.#listener.find('a frame', () =>
      this.#frame === earlierFrame ? null : this.#frame!.atMs,
    );
  }

  /** Time of the first loud sample. */
  untilLoud(): Promise<number> {
    const earlierSound = this.#sound;
    return this.#listener.find('a loud sound', () =>
      this.#sound === earlierSound ? null : this.#sound!.firstLoudMs,
    );
  }

  /** Time of the last loud sample before `ms` of silence. */
  untilSilent(ms: number): Promise<number> {
    const earlierSound = this.#sound;
    let lastLoudAt = machineMs();
    return this.#listener.find('silence', () => {
      if (this.#sound === earlierSound) return null;
      const { atMs, lastLoudMs } = this.#sound!;
      if (lastLoudMs !== null) lastLoudAt = lastLoudMs;
      return atMs - lastLoudAt > ms ? lastLoudAt : null;
    });
  }

  /** Resets `recording`. */
  forget(): void {
    this.recording = { frames: [], sound: [] };
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

  leave(): Promise<void> {
    return this.#listener.leave();
  }
}

/** `atMs` is the time of the frame's last sample. */
function loudnessOf(samples: Int16Array, atMs: number): Loudness {
  let peak = 0;
  let firstLoud: number | null = null;
  let lastLoud: number | null = null;
  for (let i = 0; i < samples.length; i++) {
    const size = Math.abs(samples[i]!);
    if (size > peak) peak = size;
    if (size > LOUD) {
      firstLoud ??= i;
      lastLoud = i;
    }
  }
  const at = (i: number | null) => (i === null ? null : atMs - (samples.length - i) / 48);
  return { atMs, peak, firstLoudMs: at(firstLoud), lastLoudMs: at(lastLoud) };
}
