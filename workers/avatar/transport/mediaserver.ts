import {
  ParticipantKind,
  Room,
  RoomEvent,
  TrackPublishOptions,
  TrackSource,
  VideoBufferType,
  VideoCodec,
  VideoFrame,
  type ByteStreamReader,
} from '@livekit/rtc-node';
import { VideoEncoding } from '@livekit/rtc-ffi-bindings';
import { inTime, type Clock } from '#shared/clock.ts';
import type { EndReason } from '#protocol/end-reasons.ts';
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
import { leaveRoom } from '../../runtime/leave-room.ts';
import { watchReconnects } from './reconnects.ts';
import { attributesOf, isExpired, outlives } from '../../runtime/room-token.ts';
import { AgentTrack } from './agent-track.ts';
import { PlaybackCalls } from './playback-calls.ts';
import { SoundQueue } from './sound-queue.ts';
import type { FaceTracks, TrackShelf } from './track-shelf.ts';
import {
  LeftRoom,
  type PlaybackFinished,
  type RoomListener,
  type Takeover,
  type Transport,
} from './transport.ts';

const CONNECT_MS = 15_000;
/** Good for 512x512 at 25 fps; grows with the picture. */
const BITS_PER_PIXEL = 0.122;

type Options = {
  room: { url: string; token: string };
  video: { width: number; height: number; fps: number };
  tracks: TrackShelf;
  clock: Clock;
  log: Log;
};

/** A room on a LiveKit media server. Owns the room, the agent's track and the calls to the agent; both tracks while it is open. */
export class MediaServerTransport implements Transport {
  readonly #options: Options;
  readonly #room = new Room();
  readonly #tracks: FaceTracks;
  readonly #sound: SoundQueue;
  readonly #calls: PlaybackCalls;
  readonly #left = Promise.withResolvers<EndReason>();
  readonly #openStreams = new Set<ByteStreamReader>();
  #agent: string | null = null;
  #agentTrack: AgentTrack | null = null;
  #isAccepting = false;
  #token: string;
  #connecting: Promise<void> | null = null;
  #closing: Promise<void> | null = null;

  constructor(options: Options) {
    this.#options = options;
    this.#token = options.room.token;
    const { video, tracks, clock, log } = options;
    this.#tracks = tracks.take(video);
    this.#sound = new SoundQueue(this.#tracks.audio, (error) => {
      if (!this.#closing) log.error({ err: error }, 'audio source refused samples');
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
        () => new Error('the media server did not answer in time'),
      );
    } catch (cause) {
      const reason = isExpired(token, this.#options.clock.now()) ? 'token_expired' : 'room_refused';
      throw new LeftRoom(reason, { cause });
    }
    const local = this.#room.localParticipant!;
    this.#agent =
      local.attributes[PUBLISH_ON_BEHALF] ?? attributesOf(token)[PUBLISH_ON_BEHALF] ?? null;
    local.registerRpcMethod(CLEAR_BUFFER, async ({ callerIdentity }) => {
      if (callerIdentity !== this.#agent) return RPC_REJECT;
      listener.clear();
      return RPC_OK;
    });
    this.#tellPresence(listener);
    if (!takeover) return;
    // A stream that the agent has begun before it took the last answer comes here before its reply does, and finds nobody: that answer was for it.
    if (this.#isAgentHere) await this.#calls.answer(takeover.unanswered);
    this.#acceptStreams(listener);
  }

  async publish(): Promise<void> {
    const { width, height, fps } = this.#options.video;
    const local = this.#room.localParticipant!;
    try {
      // Video first: agents hold their speech back until they see it.
      await local.publishTrack(
        this.#tracks.videoTrack,
        new TrackPublishOptions({
          source: TrackSource.SOURCE_CAMERA,
          // By itself the SDK sends several sizes and at most 20 fps.
          simulcast: false,
          videoCodec: VideoCodec.VP8,
          videoEncoding: new VideoEncoding({
            maxBitrate: BigInt(Math.round(width * height * fps * BITS_PER_PIXEL)),
            maxFramerate: fps,
          }),
        }),
      );
      await local.publishTrack(
        this.#tracks.audioTrack,
        // Without packets in silence (DTX) a viewer misses the first 70 ms of the first utterance.
        new TrackPublishOptions({ source: TrackSource.SOURCE_MICROPHONE, dtx: false }),
      );
    } catch (cause) {
      throw new LeftRoom('room_refused', { cause });
    }
  }

  playAudio(samples: Int16Array, onTaken: () => void): void {
    if (this.#closing) return;
    // The SDK sends the whole buffer under the array that it is given.
    const own = samples.byteLength === samples.buffer.byteLength ? samples : samples.slice();
    this.#sound.play(own, onTaken);
  }

  clearAudio(): void {
    if (!this.#closing) this.#sound.clear();
  }

  showFrame(i420: Uint8Array, atMs: number): void {
    if (this.#closing) return;
    const { width, height } = this.#options.video;
    const frame = new VideoFrame(i420, width, height, VideoBufferType.I420);
    this.#tracks.video.captureFrame(frame, BigInt(Math.round(atMs * 1000)));
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

  #listen(listener: RoomListener): void {
    const room = this.#room;
    const { clock, log } = this.#options;
    this.#agentTrack = new AgentTrack({ room, clock, log, listener });
    watchReconnects({
      room,
      isAgent: (identity) => identity === this.#agent,
      onAway: () => this.#refuseStreams(),
      onBack: () => void this.#acceptAfterGap(listener),
    });
    const changed = () => this.#tellPresence(listener);
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
   * Speech may have been sent to nobody, and its agent waits for it. Only where nothing is open: else the answer would be taken for that. From
   * here on as for one that takes over.
   */
  async #acceptAfterGap(listener: RoomListener): Promise<void> {
    this.#options.log.warn('the connection to the room was made anew');
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
      // The sender or the room is gone in the middle of it: what came is played.
      this.#options.log.debug({ err: error }, 'speech stream broke off');
    } finally {
      this.#openStreams.delete(reader);
      listener.end(streamId);
    }
  }

  /** The server's tokens are short: one that was made for hours stays the better one until its end is near. */
  #renew(token: string | undefined, listener: RoomListener): void {
    if (token === undefined || !outlives(token, this.#token)) return;
    this.#token = token;
    listener.renewed(token);
  }

  /** Without the attribute the agent is the first other participant that is one; it stays so when it leaves and comes back. */
  #tellPresence(listener: RoomListener): void {
    const others = [...this.#room.remoteParticipants.values()];
    this.#agent ??= others.find(({ kind }) => kind === ParticipantKind.AGENT)?.identity ?? null;
    if (this.#agent !== null) this.#agentTrack?.follow(this.#agent);
    listener.present({ agentHere: this.#isAgentHere, others: others.length });
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
    this.#calls.close();
    this.#agentTrack?.giveUp();
    // A connect cannot be called off: it is left to end, and then undone.
    await this.#connecting?.catch(() => {});
    for (const reader of this.#openStreams) await reader.close();
    await leaveRoom(this.#room, this.#options.clock, this.#options.log);
    this.#options.tracks.put(this.#tracks);
  }
}
