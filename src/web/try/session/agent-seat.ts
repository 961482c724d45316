/*
 * Acts as the agent in the room, like an agent framework: sends speech to the avatar, receives its
 * playback reports, and can interrupt it.
 */
import {
  Room,
  RoomEvent,
  setLogLevel,
  type RemoteParticipant,
  type RpcInvocationData,
} from 'livekit-client';
import { VOICE_RATE } from '#protocol/voice/flite.ts';
import { aborted } from '../../call/connection/pause.ts';
import { publishVoice } from './agent-voice.ts';
import {
  CLEAR_BUFFER,
  PLAYBACK_FINISHED,
  PLAYBACK_STARTED,
  PUBLISH_ON_BEHALF,
  RPC_OK,
  RPC_REJECT,
  SPEECH_CHANNELS,
  SPEECH_RATE,
  SPEECH_TOPIC,
} from '#protocol/room-terms.ts';
import type { TryEvent } from './try-state.ts';
import { UtteranceLine, type Speak, type SpeechStream } from './utterance-line.ts';

setLogLevel('warn');

export class AgentSeat {
  readonly room = new Room();
  readonly #line: UtteranceLine;
  readonly #dispatch: (event: TryEvent) => void;
  readonly #beganAt = performance.now();
  #ready = Promise.withResolvers<string>();
  #hasSentStreams = false;

  constructor(speak: Speak, dispatch: (event: TryEvent) => void) {
    this.#dispatch = dispatch;
    const outlet = {
      ready: () => this.#ready.promise,
      open: () => this.#openStream(),
      onGaveUp: () => this.#wire('agent', 'no playback report, giving up'),
    };
    this.#line = new UtteranceLine(speak, outlet, dispatch);
    this.room.registerRpcMethod(PLAYBACK_STARTED, async (call) => this.#onStarted(call));
    this.room.registerRpcMethod(PLAYBACK_FINISHED, async (call) => this.#onFinished(call));
    for (const event of mayBringAvatar) this.room.on(event, () => this.#lookForAvatar());
    this.room.on(RoomEvent.ParticipantDisconnected, (participant) => this.#onGone(participant));
  }

  async join(url: string, token: string): Promise<void> {
    await this.room.connect(url, token, { autoSubscribe: false });
    this.#lookForAvatar();
  }

  say(...args: Parameters<UtteranceLine['say']>): void {
    this.#line.say(...args);
  }

  /** After its first stream an avatar ignores tracks for the rest of the session. */
  get hasSentStreams(): boolean {
    return this.#hasSentStreams;
  }

  /** Speaks through a track instead. Resolves to an unpublish function when the avatar listens. */
  async voice(track: MediaStreamTrack, signal: AbortSignal): Promise<() => void> {
    const avatar = await Promise.race([this.#ready.promise, aborted(signal)]);
    if (avatar === undefined) return () => {};
    const unpublish = await publishVoice(this.room, avatar, track, signal);
    this.#wire('avatar', 'subscribed to the track');
    return () => {
      unpublish();
      this.#wire('agent', 'the track ended');
    };
  }

  /** Interrupts the speech and drops queued utterances. */
  async stop(): Promise<void> {
    if (!this.#line.stop()) return;
    const avatar = this.#avatar();
    if (!avatar) return;

    const askedAt = performance.now();
    const answer = await this.room.localParticipant.performRpc({
      destinationIdentity: avatar.identity,
      method: CLEAR_BUFFER,
      payload: '',
    });
    this.#wire('agent', `${CLEAR_BUFFER} → ${answer}, ${ms(performance.now() - askedAt)}`);
  }

  async close(): Promise<void> {
    this.#line.close();
    await this.room.disconnect();
  }

  async #openStream(): Promise<SpeechStream> {
    this.#hasSentStreams = true;
    const stream = await this.room.localParticipant.streamBytes({
      name: `AUDIO_${crypto.randomUUID().slice(0, 8)}`,
      topic: SPEECH_TOPIC,
      mimeType: 'audio/pcm',
      destinationIdentities: [await this.#ready.promise],
      attributes: { [SPEECH_RATE]: String(VOICE_RATE), [SPEECH_CHANNELS]: '1' },
    });
    this.#wire('agent', `${SPEECH_TOPIC} · ${VOICE_RATE / 1000} kHz, mono`);
    return {
      write: ({ buffer, byteOffset, byteLength }) =>
        stream.write(new Uint8Array(buffer, byteOffset, byteLength)),
      close: async (seconds) => {
        await stream.close();
        this.#wire('agent', `${SPEECH_TOPIC} ended · ${seconds.toFixed(2)} s`);
      },
    };
  }

  #onStarted(call: RpcInvocationData): string {
    if (call.callerIdentity !== this.#avatar()?.identity) return RPC_REJECT;
    this.#wire('avatar', PLAYBACK_STARTED);
    this.#line.started();
    return RPC_OK;
  }

  #onFinished(call: RpcInvocationData): string {
    if (call.callerIdentity !== this.#avatar()?.identity) return RPC_REJECT;
    const event = JSON.parse(call.payload) as { playback_position: number; interrupted: boolean };
    const cut = event.interrupted ? ', interrupted' : '';
    this.#wire('avatar', `${PLAYBACK_FINISHED} · ${event.playback_position.toFixed(2)} s${cut}`);
    this.#line.finished({
      heardSeconds: event.playback_position,
      isInterrupted: event.interrupted,
    });
    return RPC_OK;
  }

  /** Speech waits until the avatar publishes video: it does not listen before. */
  #lookForAvatar(): void {
    const avatar = this.#avatar();
    if (avatar && avatar.videoTrackPublications.size > 0) this.#ready.resolve(avatar.identity);
  }

  /** Queued utterances wait for the next worker. */
  #onGone(participant: RemoteParticipant): void {
    if (!isAvatarOf(participant, this.room)) return;
    this.#ready = Promise.withResolvers();
    this.#line.lost();
  }

  #avatar(): RemoteParticipant | null {
    for (const participant of this.room.remoteParticipants.values()) {
      if (isAvatarOf(participant, this.room)) return participant;
    }
    return null;
  }

  #wire(from: 'agent' | 'avatar', text: string): void {
    this.#dispatch({
      type: 'wire',
      line: { atMs: performance.now() - this.#beganAt, from, text },
    });
  }
}

const mayBringAvatar = [
  RoomEvent.TrackPublished,
  RoomEvent.ParticipantConnected,
  RoomEvent.ParticipantAttributesChanged,
  RoomEvent.Reconnected,
] as const;

const isAvatarOf = (participant: RemoteParticipant, room: Room): boolean =>
  participant.attributes[PUBLISH_ON_BEHALF] === room.localParticipant.identity;

const ms = (value: number): string => `${Math.round(value)} ms`;
