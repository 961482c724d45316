import {
  AudioStream,
  Room,
  RoomEvent,
  TrackKind,
  VideoStream,
  type RemoteParticipant,
  type RemoteTrack,
} from '@livekit/rtc-node';
import { AUDIO_RATE, peakOf } from '#protocol/audio.ts';
import { SPEECH_CHANNELS, SPEECH_RATE, SPEECH_TOPIC } from '#protocol/room-terms.ts';
import type { Clock } from '#shared/clock.ts';
import type { Log } from '#shared/log.ts';
import { leaveRoom } from '../runtime/leave-room.ts';
import { ProbeFailure, type ProbeRoom, type RoomAccess } from './probe.ts';
import { hum, SPEECH_RATE_HZ } from './speech.ts';

const SPEECH_MS = 1_500;
/** Length of speech that must be heard; a codec may swallow its edges. */
const HEARD_MS = 1_000;
/** While it is heard: a still picture would have none. */
const FRAMES_MEANWHILE = 10;
/** Amplitude that counts as sound: above a codec's noise in silence. */
const LOUD = 400;
const CHUNK_SAMPLES = 7_000;

/** The probe's agent and viewer on a real media server. */
export class MediaRoom implements ProbeRoom {
  readonly #agent = new Room();
  readonly #viewer = new Room();
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #closed = Promise.withResolvers<never>();
  readonly #video = Promise.withResolvers<{ avatar: string }>();
  readonly #connecting = new Map<Room, Promise<void>>();
  #frames = 0;
  #firstFrameAt = 0;
  #lastFrameAt = 0;
  #loudMs = 0;
  /** Called after each picture and each stretch of sound. */
  #onProgress: () => void = () => {};

  constructor({ clock, log }: { clock: Clock; log: Log }) {
    this.#clock = clock;
    this.#log = log;
    for (const { promise } of [this.#closed, this.#video]) promise.catch(() => {});
  }

  async join({ url, agentToken, viewerToken }: RoomAccess): Promise<void> {
    this.#viewer.on(RoomEvent.TrackSubscribed, (track, _publication, participant) => {
      this.#watch(track, participant).catch((error: unknown) => this.#closed.reject(error));
    });
    for (const room of [this.#agent, this.#viewer])
      room.on(RoomEvent.Disconnected, () =>
        this.#closed.reject(new ProbeFailure('The media server closed the room.')),
      );
    await Promise.all([
      this.#connect(this.#agent, url, agentToken, false),
      this.#connect(this.#viewer, url, viewerToken, true),
    ]);
  }

  async firstFrame(): Promise<void> {
    await Promise.race([this.#closed.promise, this.#video.promise]);
  }

  async speak(): Promise<void> {
    const { avatar } = await this.#video.promise;
    const framesBefore = this.#frames;
    this.#loudMs = 0;
    const done = Promise.withResolvers<void>();
    this.#onProgress = () => {
      if (this.#loudMs >= HEARD_MS && this.#frames - framesBefore >= FRAMES_MEANWHILE)
        done.resolve();
    };
    const sending = this.#send(avatar);
    await Promise.race([this.#closed.promise, Promise.all([sending, done.promise])]);
  }

  frameRate(): number {
    const seconds = (this.#lastFrameAt - this.#firstFrameAt) / 1000;
    return seconds > 0 ? (this.#frames - 1) / seconds : 0;
  }

  async leave(): Promise<void> {
    const shared = { clock: this.#clock, log: this.#log };
    for (const room of [this.#agent, this.#viewer]) room.removeAllListeners();
    await Promise.all(
      [...this.#connecting].map(([room, connecting]) => leaveRoom({ room, connecting, ...shared })),
    );
  }

  async #connect(room: Room, url: string, token: string, autoSubscribe: boolean): Promise<void> {
    const connecting = room.connect(url, token, { autoSubscribe, dynacast: false });
    this.#connecting.set(room, connecting);
    await connecting.catch((error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error);
      throw new ProbeFailure(`The room at ${url} could not be joined: ${reason}.`, {
        cause: error,
      });
    });
  }

  async #send(avatar: string): Promise<void> {
    const writer = await this.#agent.localParticipant!.streamBytes({
      name: 'AUDIO_probe',
      topic: SPEECH_TOPIC,
      attributes: { [SPEECH_RATE]: String(SPEECH_RATE_HZ), [SPEECH_CHANNELS]: '1' },
      destinationIdentities: [avatar],
    });
    const samples = hum(SPEECH_MS);
    for (let at = 0; at < samples.length; at += CHUNK_SAMPLES) {
      // A copy: only the chunk's own buffer is sent.
      const chunk = samples.slice(at, at + CHUNK_SAMPLES);
      await writer.write(new Uint8Array(chunk.buffer));
    }
    await writer.close();
  }

  async #watch(track: RemoteTrack, { identity }: RemoteParticipant): Promise<void> {
    if (track.kind === TrackKind.KIND_VIDEO) {
      const frames = new VideoStream(track).getReader();
      while (!(await frames.read()).done) {
        this.#lastFrameAt = this.#clock.elapsed();
        if (this.#frames === 0) this.#firstFrameAt = this.#lastFrameAt;
        this.#frames += 1;
        this.#video.resolve({ avatar: identity });
        this.#onProgress();
      }
      return;
    }
    for await (const { data } of new AudioStream(track, AUDIO_RATE, 1)) {
      if (peakOf(data) > LOUD) this.#loudMs += (data.length / AUDIO_RATE) * 1000;
      this.#onProgress();
    }
  }
}
