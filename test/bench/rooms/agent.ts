import {
  AudioFrame,
  AudioSource,
  LocalAudioTrack,
  Room,
  TrackPublishOptions,
  TrackSource,
} from '@livekit/rtc-node';
import { machineMs } from '../rpc.ts';
import { bytesOf } from './speech.ts';
import { leave } from '../../support/leave.ts';

export type Finished = { playback_position: number; interrupted: boolean; atMs: number };

/**
 * A voice agent as an avatar sees it: sends speech as byte streams, clears, receives playback
 * reports.
 */
export class Agent {
  readonly room = new Room();
  finished: Finished[] = [];
  #onFinished: ((event: Finished) => void) | null = null;
  #mouth: AudioSource | null = null;
  readonly #avatar: string;

  constructor(avatar: string) {
    this.#avatar = avatar;
  }

  async join(url: string, token: string): Promise<void> {
    await this.room.connect(url, token, { autoSubscribe: false, dynacast: false });
    this.room.localParticipant!.registerRpcMethod('lk.playback_finished', async ({ payload }) => {
      const event = { ...JSON.parse(payload), atMs: machineMs() } as Finished;
      this.finished.push(event);
      this.#onFinished?.(event);
      return 'ok';
    });
  }

  /**
   * Sends one segment: in real time with `pieceMs`, otherwise as fast as possible. Returns the
   * time of its first byte.
   */
  async say(
    samples: Int16Array,
    rate: number,
    pieceMs?: number,
  ): Promise<{ startedMs: number; completion: Promise<void> }> {
    const writer = await this.room.localParticipant!.streamBytes({
      name: 'AUDIO_bench',
      topic: 'lk.audio_stream',
      attributes: { sample_rate: String(rate), num_channels: '1' },
      destinationIdentities: [this.#avatar],
    });
    const startedMs = machineMs();
    const send = async () => {
      const step = pieceMs ? (rate * pieceMs) / 1000 : 7_000;
      for (let at = 0, n = 0; at < samples.length; at += step, n++) {
        if (pieceMs) await until(startedMs + n * pieceMs);
        await writer.write(bytesOf(samples.slice(at, at + step)));
      }
      await writer.close();
    };
    const completion = send();
    // Leaving the room during an unawaited write is not an error.
    completion.catch(() => {});
    return { startedMs, completion };
  }

  /** Returns the time of the call. */
  async clear(): Promise<number> {
    const calledMs = machineMs();
    await this.room.localParticipant!.performRpc({
      destinationIdentity: this.#avatar,
      method: 'lk.clear_buffer',
      payload: '',
    });
    return calledMs;
  }

  nextFinished(): Promise<Finished> {
    return new Promise((resolve) => (this.#onFinished = resolve));
  }

  /** The plain publisher to compare avatars with: the same sound on the agent's own track. */
  async openMouth(): Promise<void> {
    this.#mouth = new AudioSource(48_000, 1, 1_000);
    const track = LocalAudioTrack.createAudioTrack('mouth', this.#mouth);
    await this.room.localParticipant!.publishTrack(
      track,
      new TrackPublishOptions({ source: TrackSource.SOURCE_MICROPHONE }),
    );
  }

  async sayPlainly(samples: Int16Array): Promise<{ startedMs: number; completion: Promise<void> }> {
    const startedMs = machineMs();
    const piece = samples.slice(0, samples.length - (samples.length % 480));
    return {
      startedMs,
      completion: this.#mouth!.captureFrame(new AudioFrame(piece, 48_000, 1, piece.length)),
    };
  }

  /** Keeps the plain publisher's track active between utterances. */
  breathe(): () => void {
    const timer = setInterval(() => {
      if (this.#mouth!.queuedDuration < 60) {
        void this.#mouth!.captureFrame(new AudioFrame(new Int16Array(960), 48_000, 1, 960));
      }
    }, 20);
    return () => clearInterval(timer);
  }

  async leave(): Promise<void> {
    await leave(this.room);
  }
}

async function until(atMs: number): Promise<void> {
  const wait = atMs - machineMs();
  if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
}
