import {
  ParticipantKind,
  Room,
  RoomEvent,
  VideoBufferType,
  VideoFrame,
  type ByteStreamReader,
} from '@livekit/rtc-node';
import { inTime, type Clock } from '#shared/clock.ts';
import type { EndReason } from '#protocol/end-reasons.ts';
import type { AssignedRoom } from '#protocol/gateway-messages.ts';
import type { Log } from '#shared/log.ts';
import {
  AGENT_LISTENING,
  AGENT_STATE,
  CLEAR_BUFFER,
  PUBLISH_ON_BEHALF,
  RPC_OK,
  RPC_REJECT,
  SPEECH_CHANNELS,
  SPEECH_RATE,
  SPEECH_TOPIC,
} from '#protocol/room-terms.ts';
import { endReasonOf } from '../../runtime/disconnects.ts';
import { CONNECT_MS, leaveRoom } from '../../runtime/leave-room.ts';
import { watchReconnects } from './reconnects.ts';
import { attributesOf, isExpired, outlives } from '../../runtime/room-token.ts';
import { refusalOf, targetOf } from './connection-failure.ts';
import { OpeningFrames, type Picture } from './opening-frames.ts';
import { PlaybackCalls } from './playback-calls.ts';
import { publishTracks } from './publish-tracks.ts';
import type { Admission, RoomRelay } from './room-relay.ts';
import { SoundQueue } from './sound-queue.ts';
import type { AvatarTracks, TrackShelf } from './track-shelf.ts';
import {
  LeftRoom,
  TracksNotTaken,
  type PlaybackFinished,
  type RoomListener,
  type Takeover,
  type Transport,
} from './transport.ts';
import { VoiceTrack } from './voice-track.ts';

type Options = {
  room: AssignedRoom;
  /** Absent: the client's connections are not checked. */
  relay?: Pick<RoomRelay, 'admit'>;
  video: { width: number; height: number; fps: number };
  tracks: TrackShelf;
  clock: Clock;
  log: Log;
};

/**
 * A room on a LiveKit server. Owns the room, the agent's track and the RPC calls to the agent.
 * Borrows its own tracks from the shelf.
 */
export class MediaServerTransport implements Transport {
  readonly #options: Options;
  readonly #room = new Room();
  readonly #tracks: AvatarTracks;
  readonly #sound: SoundQueue;
  readonly #calls: PlaybackCalls;
  readonly #opening: OpeningFrames;
  readonly #admission: Admission | null;
  readonly #left = Promise.withResolvers<EndReason>();
  readonly #openStreams = new Set<ByteStreamReader>();
  #agent: string | null = null;
  #agentTrack: VoiceTrack | null = null;
  #isAccepting = false;
  #token: string;
  #connecting: Promise<void> | null = null;
  #closing: Promise<void> | null = null;

  constructor(options: Options) {
    this.#options = options;
    this.#token = options.room.token;
    const { room, relay, video, tracks, clock, log } = options;
    this.#admission = relay?.admit(room) ?? null;
    this.#tracks = tracks.take(video);
    this.#opening = new OpeningFrames(clock, video.fps);
    this.#sound = new SoundQueue(this.#tracks.audio, (error) => {
      if (!this.#closing) log.error({ err: error }, 'audio source rejected samples');
    });
    this.#calls = new PlaybackCalls((method, payload) => this.#call(method, payload), clock, log);
  }

  get left(): Promise<EndReason> {
    return this.#left.promise;
  }

  async join(listener: RoomListener, takeover?: Takeover): Promise<void> {
    const { url, token } = this.#options.room;
    this.#listen(listener);
    if (takeover?.byStreams) this.#agentTrack?.giveUp();
    if (!takeover) this.#acceptStreams(listener);
    this.#connecting = this.#room.connect(url, token, { autoSubscribe: false, dynacast: false });
    try {
      await inTime(
        this.#options.clock,
        CONNECT_MS,
        this.#connecting,
        () => new Error('connecting to the media server timed out'),
      );
    } catch (cause) {
      const reason = isExpired(token, this.#options.clock.now()) ? 'token_expired' : 'room_refused';
      throw new LeftRoom(reason, { cause, detail: this.#detailOf(cause) });
    }
    const local = this.#room.localParticipant!;
    this.#agent =
      local.attributes[PUBLISH_ON_BEHALF] ?? attributesOf(token)[PUBLISH_ON_BEHALF] ?? null;
    local.registerRpcMethod(CLEAR_BUFFER, async ({ callerIdentity }) => {
      if (callerIdentity !== this.#agent) return RPC_REJECT;
      listener.clear();
      return RPC_OK;
    });
    this.#updatePresence(listener);
    if (takeover) void this.#answer(takeover, listener);
  }

  async #answer({ unanswered }: Takeover, listener: RoomListener): Promise<void> {
    // In this order: a stream that the agent began before it received the last answer arrives
    // before its reply. That answer was for this stream, so the stream must still be ignored.
    if (this.#isAgentHere) await this.#calls.answer(unanswered);
    if (this.#closing) return;
    listener.answered();
    this.#acceptStreams(listener);
  }

  async publish(): Promise<void> {
    const { video, clock } = this.#options;
    try {
      await publishTracks(this.#room.localParticipant!, this.#tracks, video.fps, clock);
      this.#opening.stopSoon();
    } catch (cause) {
      if (cause instanceof TracksNotTaken) throw cause;
      throw new LeftRoom('room_refused', { cause, detail: this.#detailOf(cause) });
    }
  }

  playAudio(samples: Int16Array, onTaken: () => void): void {
    if (this.#closing) return;
    // The SDK sends the whole underlying buffer.
    const own = samples.byteLength === samples.buffer.byteLength ? samples : samples.slice();
    this.#sound.play(own, onTaken);
  }

  clearAudio(): void {
    if (!this.#closing) this.#sound.clear();
  }

  showFrame(i420: Uint8Array, atMs: number): void {
    if (this.#closing) return;
    const { width, height } = this.#options.video;
    this.#opening.show({ i420, width, height }, atMs, this.#capture);
  }

  playbackStarted(): void {
    this.#calls.started();
  }

  playbackFinished(event: PlaybackFinished): void {
    this.#calls.finished(event);
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  readonly #capture = ({ i420, width, height }: Picture, atMs: number): void => {
    const frame = new VideoFrame(i420, width, height, VideoBufferType.I420);
    this.#tracks.video.captureFrame(frame, BigInt(Math.round(atMs * 1000)));
  };

  #listen(listener: RoomListener): void {
    const room = this.#room;
    const { clock, log } = this.#options;
    this.#agentTrack = new VoiceTrack({ room, clock, log, listener });
    watchReconnects({
      room,
      isAgent: (identity) => identity === this.#agent,
      onAway: () => this.#refuseStreams(),
      onBack: () => void this.#acceptAfterGap(listener),
    });
    const changed = () => this.#updatePresence(listener);
    room.on(RoomEvent.ParticipantConnected, changed);
    room.on(RoomEvent.ParticipantDisconnected, changed);
    room.on(RoomEvent.DataReceived, (bytes, sender, _kind, topic = '') => {
      if (sender && sender.identity === this.#agent) listener.packet(topic, bytes);
    });
    room.on(RoomEvent.ParticipantAttributesChanged, (changed, { identity }) => {
      const state = changed[AGENT_STATE];
      if (identity === this.#agent && state !== undefined)
        listener.listens(state === AGENT_LISTENING);
    });
    room.on(RoomEvent.TokenRefreshed, () => this.#renew(room.token, listener));
    room.on(RoomEvent.Disconnected, (reason) => this.#left.resolve(endReasonOf(reason)));
  }

  /**
   * The agent may wait for speech that was lost during the gap: answers for one segment, as on a
   * takeover. Not with a segment open, which the agent would match with the answer.
   */
  async #acceptAfterGap(listener: RoomListener): Promise<void> {
    this.#options.log.warn('rejoined the room after a lost connection');
    if (this.#isAgentHere && !listener.hasOpen())
      await this.#calls.answer([{ positionSeconds: 0, interrupted: true }]);
    if (!this.#closing) this.#acceptStreams(listener);
  }

  #refuseStreams(): void {
    if (!this.#isAccepting) return;
    this.#isAccepting = false;
    this.#room.unregisterByteStreamHandler(SPEECH_TOPIC);
  }

  #acceptStreams(listener: RoomListener): void {
    if (this.#isAccepting) return;
    this.#isAccepting = true;
    this.#room.registerByteStreamHandler(SPEECH_TOPIC, (reader, { identity }) => {
      if (identity === this.#agent) void this.#read(reader, listener);
      else void reader.close();
    });
  }

  async #read(reader: ByteStreamReader, listener: RoomListener): Promise<void> {
    const { streamId, attributes } = reader.info;
    this.#openStreams.add(reader);
    this.#agentTrack?.giveUp();
    listener.begin(streamId, {
      sampleRate: Number(attributes?.[SPEECH_RATE]),
      channels: Number(attributes?.[SPEECH_CHANNELS]),
    });
    try {
      for await (const chunk of reader) listener.chunk(streamId, chunk);
    } catch (error) {
      // The sender or the room is gone; what arrived is played.
      this.#options.log.debug({ err: error }, 'speech stream broken off');
    } finally {
      this.#openStreams.delete(reader);
      listener.end(streamId);
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

  /**
   * Without the attribute, the first participant of the kind agent is the session's agent, also
   * after it leaves and returns.
   */
  #updatePresence(listener: RoomListener): void {
    const others = [...this.#room.remoteParticipants.values()];
    this.#agent ??= others.find(({ kind }) => kind === ParticipantKind.AGENT)?.identity ?? null;
    if (this.#agent !== null) this.#agentTrack?.follow(this.#agent);
    listener.present({ agentHere: this.#isAgentHere, others: others.length });
  }

  #detailOf(cause: unknown): string {
    const { url } = this.#options.room;
    const message = cause instanceof Error ? cause.message : '';
    return this.#admission?.failure ?? refusalOf(message, targetOf(url));
  }

  get #isAgentHere(): boolean {
    return this.#agent !== null && this.#room.remoteParticipants.has(this.#agent);
  }

  async #call(method: string, payload: string): Promise<unknown> {
    const local = this.#room.localParticipant;
    if (!this.#agent || !local || this.#closing) return;
    return local.performRpc({ destinationIdentity: this.#agent, method, payload });
  }

  async #close(): Promise<void> {
    this.#opening.stop();
    this.#calls.close();
    this.#agentTrack?.giveUp();
    for (const reader of this.#openStreams) await reader.close();
    const { clock, log } = this.#options;
    const hasLeft = await leaveRoom({ room: this.#room, connecting: this.#connecting, clock, log });
    this.#admission?.close();
    // Otherwise the room still uses them.
    if (hasLeft) this.#options.tracks.put(this.#tracks);
  }
}
