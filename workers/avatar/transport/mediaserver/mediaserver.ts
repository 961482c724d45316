import { ConnectionState, Room, RoomEvent, VideoBufferType, VideoFrame } from '@livekit/rtc-node';
import { inTime, type Clock } from '#shared/clock.ts';
import type { Sight } from '#protocol/pictures/frames.ts';
import type { EndReason } from '#protocol/end-reasons.ts';
import { AUDIO_STEP_MS } from '#protocol/audio.ts';
import type { AssignedRoom } from '#protocol/worker/gateway-messages.ts';
import type { Log } from '#shared/log.ts';
import { endReasonOf } from '../../../runtime/disconnects.ts';
import { CONNECT_MS, leaveRoom } from '../../../runtime/leave-room.ts';
import { isExpired, outlives } from '../../../runtime/room-token.ts';
import { refusalOf, targetOf } from '../connection-failure.ts';
import { FirstListener } from './first-listener.ts';
import { LinkedSpeaker } from './linked-speaker.ts';
import { OpeningFrames } from '../opening-frames.ts';
import { publishTracks } from './publish-tracks.ts';
import { untilVideoReceived } from './received-video.ts';
import { RoomAgent } from './room-agent.ts';
import type { Admission, RoomRelay } from './room-relay.ts';
import type { RoomSpeaker } from './room-speaker.ts';
import { SoundQueue } from '../sound-queue.ts';
import type { SpeechLink } from '../speech-link.ts';
import type { AvatarTracks, TrackShelf } from '../track-shelf.ts';
import {
  LeftRoom,
  TracksNotTaken,
  type PictureSize,
  type PlaybackFinished,
  type RoomListener,
  type Takeover,
  type Transport,
} from '../transport.ts';

type Options = {
  room: AssignedRoom;
  /** Where the speech comes from. Absent: from the agent in the room. */
  link?: SpeechLink;
  /** Absent: the client's connections are not checked. */
  relay?: Pick<RoomRelay, 'admit'>;
  video: Sight & { fps: number };
  tracks: TrackShelf;
  clock: Clock;
  log: Log;
};

/** A room on a LiveKit server. Owns the room and the speaker. Borrows its tracks from the shelf. */
export class MediaServerTransport implements Transport {
  /** The mean: the source plays in steps. */
  readonly startDelayMs = AUDIO_STEP_MS / 2;
  /** A viewer's audio buffer holds 20 to 40 ms, its video buffer less. */
  readonly audioDelayMs = 25;
  readonly showsSmaller = true;
  readonly #options: Options;
  readonly #room = new Room();
  readonly #speaker: RoomSpeaker;
  readonly #tracks: AvatarTracks;
  readonly #sound: SoundQueue;
  readonly #opening: OpeningFrames;
  readonly #firstListener: FirstListener;
  readonly #admission: Admission | null;
  readonly #ended = Promise.withResolvers<EndReason>();
  readonly #closed = new AbortController();
  #hasJoined = false;
  #token: string;
  #connecting: Promise<void> | null = null;
  #closing: Promise<void> | null = null;

  constructor(options: Options) {
    this.#options = options;
    this.#token = options.room.token;
    const { room: assigned, link, relay, video, tracks, clock, log } = options;
    const room = this.#room;
    this.#speaker = link
      ? new LinkedSpeaker({ room, link, clock, log })
      : new RoomAgent({ room, token: assigned.token, clock, log });
    this.#firstListener = new FirstListener(room, clock);
    this.#admission = relay?.admit(assigned) ?? null;
    this.#tracks = tracks.take(video);
    this.#opening = new OpeningFrames({ clock, fps: video.fps, send: this.#capture });
    this.#sound = new SoundQueue(this.#tracks.audio, (error) => {
      if (!this.#closing) log.error({ err: error }, 'audio source rejected samples');
    });
  }

  get ended(): Promise<EndReason> {
    return Promise.race([this.#ended.promise, this.#speaker.ended]);
  }

  get audible(): Promise<void> {
    return this.#firstListener.audible;
  }

  async join(listener: RoomListener, takeover?: Takeover): Promise<void> {
    this.#listen(listener);
    await this.#speaker.open(listener, takeover, () => this.#updatePresence(listener));
    await this.#connect();
    this.#speaker.joined(listener, takeover);
    this.#hasJoined = true;
    this.#updatePresence(listener);
  }

  async publish(): Promise<void> {
    const { video, clock } = this.#options;
    try {
      await publishTracks(this.#room.localParticipant!, this.#tracks, video.fps, clock);
    } catch (cause) {
      if (cause instanceof TracksNotTaken) throw cause;
      throw new LeftRoom('room_refused', { cause, detail: this.#detailOf(cause) });
    }
    this.#opening.stopSoon();
    this.#speaker.published();
    this.#firstListener.published(this.#speaker.listeners);
    void this.#watchArrival();
  }

  playAudio(samples: Int16Array, onTaken: () => void): void {
    if (this.#closing) return;
    // The SDK sends the whole underlying buffer.
    const ownSamples = samples.byteLength === samples.buffer.byteLength ? samples : samples.slice();
    this.#sound.play(ownSamples, onTaken);
  }

  playSilence(samples: number): void {
    this.playAudio(new Int16Array(samples), () => {});
  }

  clearAudio(): void {
    if (!this.#closing) this.#sound.clear();
  }

  showFrame(i420: Uint8Array, atMs: number, size: PictureSize): void {
    if (!this.#closing) this.#opening.show(i420, atMs, size);
  }

  playbackStarted(): void {
    this.#speaker.playbackStarted();
  }

  playbackFinished(event: PlaybackFinished): void {
    this.#speaker.playbackFinished(event);
  }

  released(): void {
    this.#speaker.released?.();
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  readonly #capture = (i420: Uint8Array, atMs: number, { width, height }: PictureSize): void => {
    const frame = new VideoFrame(i420, width, height, VideoBufferType.I420);
    this.#tracks.video.captureFrame(frame, BigInt(Math.round(atMs * 1000)));
  };

  #listen(listener: RoomListener): void {
    const room = this.#room;
    const changed = () => this.#updatePresence(listener);
    room.on(RoomEvent.ParticipantConnected, changed);
    room.on(RoomEvent.ParticipantDisconnected, changed);
    room.on(RoomEvent.TokenRefreshed, () => this.#renew(room.token, listener));
    room.on(RoomEvent.Disconnected, (reason) => this.#ended.resolve(endReasonOf(reason)));
  }

  async #connect(): Promise<void> {
    const { room, clock } = this.#options;
    const { url, token } = room;
    if (this.#closing) throw new LeftRoom('room_closed');
    this.#connecting = this.#room.connect(url, token, { autoSubscribe: false, dynacast: false });
    try {
      await inTime(
        clock,
        CONNECT_MS,
        this.#connecting,
        () => new Error('connecting to the media server timed out'),
      );
    } catch (cause) {
      const reason = isExpired(token, clock.now()) ? 'token_expired' : 'room_refused';
      throw new LeftRoom(reason, { cause, detail: this.#detailOf(cause) });
    }
  }

  async #watchArrival(): Promise<void> {
    const { clock, log } = this.#options;
    const { signal } = this.#closed;
    try {
      await untilVideoReceived(this.#room, clock, signal);
    } catch (error) {
      if (signal.aborted) return;
      // In any other state the SDK is reconnecting.
      const isConnected = this.#room.connectionState === ConnectionState.CONN_CONNECTED;
      if (error instanceof TracksNotTaken && isConnected) return this.#ended.reject(error);
      log.warn({ err: error }, 'the media server may not receive the video');
    }
  }

  /**
   * The server's tokens are short-lived; a long-lived one from the assignment stays better until it
   * is about to expire.
   */
  #renew(token: string | undefined, listener: RoomListener): void {
    if (token === undefined || !outlives(token, this.#token)) return;
    this.#token = token;
    listener.renewed(token);
  }

  #updatePresence(listener: RoomListener): void {
    if (!this.#hasJoined) return;
    this.#speaker.changed();
    listener.present({
      agentHere: this.#speaker.isHere,
      participants: this.#room.remoteParticipants.size,
      agentName: this.#speaker.agentName,
    });
  }

  #detailOf(cause: unknown): string {
    const { url } = this.#options.room;
    const message = cause instanceof Error ? cause.message : '';
    return this.#admission?.failure ?? refusalOf(message, targetOf(url));
  }

  async #close(): Promise<void> {
    this.#opening.stop();
    this.#closed.abort();
    this.#firstListener.close();
    await this.#speaker.close();
    const { clock, log } = this.#options;
    const hasLeft = await leaveRoom({ room: this.#room, connecting: this.#connecting, clock, log });
    this.#admission?.close();
    // Otherwise the room still uses them.
    if (hasLeft) this.#options.tracks.put(this.#tracks);
  }
}
