import { ParticipantKind, RoomEvent, type ByteStreamReader, type Room } from '@livekit/rtc-node';
import type { Clock } from '#shared/clock.ts';
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
import { attributesOf } from '../../../runtime/room-token.ts';
import { PlaybackCalls } from './playback-calls.ts';
import { watchReconnects } from './reconnects.ts';
import type { RoomSpeaker } from './room-speaker.ts';
import type { PlaybackFinished, RoomListener, Takeover } from '../transport.ts';
import { VoiceTrack } from './voice-track.ts';

type Parts = { room: Room; token: string; clock: Clock; log: Log };

/**
 * The agent in a LiveKit room. Its byte streams or its audio track are the speech; RPC calls report
 * the playback to it. Owns the calls and the track.
 */
export class RoomAgent implements RoomSpeaker {
  /** The room ends the session. */
  readonly ended = new Promise<EndReason>(() => {});
  readonly #parts: Parts;
  readonly #calls: PlaybackCalls;
  readonly #openStreams = new Set<ByteStreamReader>();
  #identity: string | null = null;
  #track: VoiceTrack | null = null;
  #onPublished = () => {};
  #isAccepting = false;
  #isClosed = false;

  constructor(parts: Parts) {
    const { clock, log } = parts;
    this.#parts = parts;
    this.#calls = new PlaybackCalls((method, payload) => this.#call(method, payload), clock, log);
  }

  async open(listener: RoomListener, takeover?: Takeover): Promise<void> {
    const { room, clock, log } = this.#parts;
    this.#track = new VoiceTrack({ room, clock, log, listener });
    watchReconnects({
      room,
      isAgent: (identity) => identity === this.#identity,
      onAway: () => this.#refuseStreams(),
      onBack: () => void this.#acceptAfterGap(listener),
    });
    room.on(RoomEvent.DataReceived, (bytes, sender, _kind, topic = '') => {
      if (sender && sender.identity === this.#identity) listener.packet(topic, bytes);
    });
    room.on(RoomEvent.ParticipantAttributesChanged, (changed, { identity }) => {
      const state = changed[AGENT_STATE];
      if (identity === this.#identity && state !== undefined)
        listener.listens(state === AGENT_LISTENING);
    });
    if (takeover?.byStreams) this.#track.giveUp();
    if (!takeover) this.#acceptStreams(listener);
  }

  joined(listener: RoomListener, takeover?: Takeover): void {
    const { room, token } = this.#parts;
    const local = room.localParticipant!;
    this.#identity =
      local.attributes[PUBLISH_ON_BEHALF] ?? attributesOf(token)[PUBLISH_ON_BEHALF] ?? null;
    this.changed();
    // Registering a method and calling one make the SDK negotiate, and the tracks would wait for
    // that. No agent clears before it sees the video, unless it spoke to a previous worker, which
    // has fallen silent.
    this.#onPublished = () => {
      this.#answerClears(listener);
      if (takeover) void this.#answer(takeover, listener);
    };
  }

  published(): void {
    this.#onPublished();
  }

  /**
   * Without the attribute, the first participant of the kind agent is the session's agent, also
   * after it leaves and returns.
   */
  changed(): void {
    const participants = [...this.#parts.room.remoteParticipants.values()];
    this.#identity ??=
      participants.find(({ kind }) => kind === ParticipantKind.AGENT)?.identity ?? null;
    if (this.#identity !== null) this.#track?.follow(this.#identity);
  }

  get isHere(): boolean {
    return this.#identity !== null && this.#parts.room.remoteParticipants.has(this.#identity);
  }

  get listeners(): number {
    return this.#parts.room.remoteParticipants.size - (this.isHere ? 1 : 0);
  }

  playbackStarted(): void {
    this.#calls.started();
  }

  playbackFinished(event: PlaybackFinished): void {
    this.#calls.finished(event);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#calls.close();
    this.#track?.giveUp();
    for (const reader of this.#openStreams) await reader.close();
  }

  #answerClears(listener: RoomListener): void {
    const local = this.#parts.room.localParticipant!;
    local.registerRpcMethod(CLEAR_BUFFER, async ({ callerIdentity }) => {
      if (callerIdentity !== this.#identity) return RPC_REJECT;
      listener.clear();
      return RPC_OK;
    });
  }

  async #answer({ unanswered }: Takeover, listener: RoomListener): Promise<void> {
    // In this order: a stream that the agent began before it received the last answer arrives
    // before its reply. That answer was for this stream, so the stream must still be ignored.
    if (this.isHere) await this.#calls.answer(unanswered);
    if (this.#isClosed) return;
    listener.answered();
    this.#acceptStreams(listener);
  }

  /**
   * The agent may wait for speech that was lost during the gap: answers for one segment, as on a
   * takeover. Not with a segment open, which the agent would match with the answer.
   */
  async #acceptAfterGap(listener: RoomListener): Promise<void> {
    this.#parts.log.warn('rejoined the room after a lost connection');
    if (this.isHere && !listener.hasOpen())
      await this.#calls.answer([{ positionSeconds: 0, interrupted: true }]);
    if (!this.#isClosed) this.#acceptStreams(listener);
  }

  #refuseStreams(): void {
    if (!this.#isAccepting) return;
    this.#isAccepting = false;
    this.#parts.room.unregisterByteStreamHandler(SPEECH_TOPIC);
  }

  #acceptStreams(listener: RoomListener): void {
    if (this.#isAccepting) return;
    this.#isAccepting = true;
    this.#parts.room.registerByteStreamHandler(SPEECH_TOPIC, (reader, { identity }) => {
      if (identity === this.#identity) void this.#read(reader, listener);
      else void reader.close();
    });
  }

  async #read(reader: ByteStreamReader, listener: RoomListener): Promise<void> {
    const { streamId, attributes } = reader.info;
    this.#openStreams.add(reader);
    this.#track?.giveUp();
    listener.begin(streamId, {
      sampleRate: Number(attributes?.[SPEECH_RATE]),
      channels: Number(attributes?.[SPEECH_CHANNELS]),
    });
    try {
      for await (const chunk of reader) listener.chunk(streamId, chunk);
    } catch (error) {
      // The sender or the room is gone; what arrived is played.
      this.#parts.log.debug({ err: error }, 'speech stream broken off');
    } finally {
      this.#openStreams.delete(reader);
      listener.end(streamId);
    }
  }

  async #call(method: string, payload: string): Promise<unknown> {
    const local = this.#parts.room.localParticipant;
    if (this.#identity === null || !local || this.#isClosed) return;
    return local.performRpc({ destinationIdentity: this.#identity, method, payload });
  }
}
