import { ParticipantKind, RoomEvent, type Room } from '@livekit/rtc-node';
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
} from '#protocol/room-terms.ts';
import { attributesOf } from '../../../runtime/room-token.ts';
import { PlaybackCalls } from './playback-calls.ts';
import { watchReconnects } from './reconnects.ts';
import type { RoomSpeaker } from './room-speaker.ts';
import { SpeechStreams } from './speech-streams.ts';
import type { PlaybackFinished, RoomListener, Takeover } from '../transport.ts';
import { VoiceTrack } from './voice-track.ts';

/** For texts: a caller chooses it. */
const MAX_NAME = 100;

type Parts = { room: Room; token: string; clock: Clock; log: Log };

/**
 * The agent in a LiveKit room. Its byte streams or its audio track are the speech; RPC calls report
 * the playback to it. Owns the calls, the streams and the track.
 */
export class RoomAgent implements RoomSpeaker {
  /** The room ends the session. */
  readonly ended = new Promise<EndReason>(() => {});
  readonly #parts: Parts;
  readonly #calls: PlaybackCalls;
  #identity: string | null = null;
  #track: VoiceTrack | null = null;
  #streams: SpeechStreams | null = null;
  #onPublished = () => {};
  /** Reports for a previous worker that the agent has not got yet. */
  #owed: PlaybackFinished[] = [];
  #isClosed = false;

  constructor(parts: Parts) {
    const { clock, log } = parts;
    this.#parts = parts;
    this.#calls = new PlaybackCalls((method, payload) => this.#call(method, payload), clock, log);
  }

  async open(listener: RoomListener, takeover?: Takeover): Promise<void> {
    const { room, clock, log } = this.#parts;
    const isAgent = (identity: string) => identity === this.#identity;
    this.#track = new VoiceTrack({ room, clock, log, listener });
    this.#streams = new SpeechStreams({
      room,
      listener,
      isAgent,
      onBegun: () => this.#track?.giveUp(),
      clock,
      log,
    });
    watchReconnects({
      room,
      isAgent,
      onAway: () => this.#streams?.refuse(),
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
    if (!takeover) this.#streams.accept();
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
    this.#owed = [...(takeover?.unanswered ?? [])];
    this.#onPublished = () => {
      this.#answerClears(listener);
      if (takeover) void this.#answer(listener);
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

  get agentName(): string | null {
    return this.#identity?.slice(0, MAX_NAME) ?? null;
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

  /** An agent that is here first gets its reports: it waits for them without end. */
  async close(): Promise<void> {
    this.#streams?.refuse();
    if (this.isHere && this.#parts.room.isConnected) await this.#calls.answer(this.#owed.splice(0));
    this.#isClosed = true;
    this.#calls.close();
    this.#track?.giveUp();
    await this.#streams?.close();
  }

  #answerClears(listener: RoomListener): void {
    const local = this.#parts.room.localParticipant!;
    local.registerRpcMethod(CLEAR_BUFFER, async ({ callerIdentity }) => {
      if (callerIdentity !== this.#identity) return RPC_REJECT;
      listener.clear();
      return RPC_OK;
    });
  }

  async #answer(listener: RoomListener): Promise<void> {
    // In this order: a stream that the agent began before it received the last answer arrives
    // before its reply. That answer was for this stream, so the stream must still be ignored.
    if (this.isHere) await this.#calls.answer(this.#owed.splice(0));
    if (this.#isClosed) return;
    listener.answered();
    this.#streams?.accept();
  }

  /**
   * The agent may wait for speech that was lost during the gap: answers for one segment, as on a
   * takeover. Not with a segment open, which the agent would match with the answer.
   */
  async #acceptAfterGap(listener: RoomListener): Promise<void> {
    this.#parts.log.warn('rejoined the room after a lost connection');
    if (this.isHere && !listener.hasOpen())
      await this.#calls.answer([{ positionSeconds: 0, interrupted: true }]);
    if (!this.#isClosed) this.#streams?.accept();
  }

  async #call(method: string, payload: string): Promise<unknown> {
    const local = this.#parts.room.localParticipant;
    if (this.#identity === null || !local || this.#isClosed) return;
    return local.performRpc({ destinationIdentity: this.#identity, method, payload });
  }
}
