/*
 * Acts as the agent in the room, like an agent framework: sends speech to the avatar, receives its
 * playback reports, and can interrupt it. Sends one utterance at a time and waits for its report.
 */
import {
  Room,
  RoomEvent,
  setLogLevel,
  type RemoteParticipant,
  type RpcInvocationData,
} from 'livekit-client';
import { VOICE_RATE, type VoiceName } from '#protocol/voice/flite.ts';
import { toSentences } from '#protocol/voice/speakable.ts';
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
import { hasStream, isStopped, nextState, type SendingState } from './sending-state.ts';
import type { TryEvent } from './try-state.ts';

export type Speak = (sentence: string, voice: VoiceName) => Promise<Int16Array>;

setLogLevel('warn');

type Playback = { heardSeconds: number; isInterrupted: boolean };

/**
 * The current utterance. `stopped` ends the wait for an avatar. `over` settles once: by the avatar's
 * report, or when none will come.
 */
type Current = {
  id: number;
  state: SendingState;
  stopped: PromiseWithResolvers<void>;
  over: PromiseWithResolvers<Playback>;
};

/** Time after the end of the speech in which the avatar's report must arrive. */
const REPORT_GRACE_MS = 8000;

export class AgentSeat {
  readonly room = new Room();
  readonly #speak: Speak;
  readonly #dispatch: (event: TryEvent) => void;
  readonly #beganAt = performance.now();
  #current: Current | null = null;
  #line: Promise<void> = Promise.resolve();
  #ready = Promise.withResolvers<string>();
  #waiting = new Set<number>();
  #hasSentStreams = false;
  #isClosed = false;

  constructor(speak: Speak, dispatch: (event: TryEvent) => void) {
    this.#speak = speak;
    this.#dispatch = dispatch;
    this.room.registerRpcMethod(PLAYBACK_STARTED, async (call) => this.#onStarted(call));
    this.room.registerRpcMethod(PLAYBACK_FINISHED, async (call) => this.#onFinished(call));
    for (const event of mayBringAvatar) this.room.on(event, () => this.#lookForAvatar());
    this.room.on(RoomEvent.ParticipantDisconnected, (participant) => this.#onGone(participant));
  }

  async join(url: string, token: string): Promise<void> {
    await this.room.connect(url, token, { autoSubscribe: false });
    this.#lookForAvatar();
  }

  /** Queues an utterance. */
  say(id: number, text: string, voice: VoiceName): void {
    this.#waiting.add(id);
    this.#line = this.#line.then(() => this.#perform(id, text, voice));
  }

  /** After its first stream an avatar ignores tracks for the rest of the session. */
  get hasSentStreams(): boolean {
    return this.#hasSentStreams;
  }

  /** Speaks through a track instead. Resolves to an unpublish function when the avatar listens. */
  async voice(track: MediaStreamTrack, signal: AbortSignal): Promise<() => void> {
    const avatar = await Promise.race([this.#ready.promise, aborted(signal)]);
    if (avatar === null) return () => {};
    const unpublish = await publishVoice(this.room, avatar, track, signal);
    this.#wire('avatar', 'subscribed to the track');
    return () => {
      unpublish();
      this.#wire('agent', 'the track ended');
    };
  }

  /** Interrupts the speech and drops queued utterances. */
  async stop(): Promise<void> {
    for (const id of this.#waiting) this.#dispatch({ type: 'not_spoken', id, isFailed: false });
    this.#waiting.clear();
    const current = this.#current;
    if (!current) return;
    current.state = nextState(current.state, 'stopped');
    current.stopped.resolve();
    if (!hasStream(current.state)) return;
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
    this.#isClosed = true;
    this.#waiting.clear();
    this.#current?.stopped.resolve();
    this.#current?.over.resolve(notHeard);
    await this.room.disconnect();
  }

  async #perform(id: number, text: string, voice: VoiceName): Promise<void> {
    if (!this.#waiting.delete(id)) return;
    const over = Promise.withResolvers<Playback>();
    const stopped = Promise.withResolvers<void>();
    const current: Current = { id, state: 'preparing', stopped, over };
    this.#current = current;
    try {
      const seconds = await this.#send(current, text, voice);
      if (!hasStream(current.state)) over.resolve(notHeard);
      const cancel = after(seconds * 1000 + REPORT_GRACE_MS, () => {
        this.#wire('agent', 'no playback report, giving up');
        over.resolve(notHeard);
      });
      const playback = await over.promise;
      cancel();
      // The avatar reports a stream without speech as finished.
      this.#dispatch({ type: 'finished', id, ...(seconds === 0 ? notHeard : playback) });
    } catch (error) {
      this.#dispatch({ type: 'not_spoken', id, isFailed: !this.#isClosed });
      if (!this.#isClosed) console.error('utterance not sent', error);
    } finally {
      this.#current = null;
    }
  }

  /** Sends each sentence as soon as it is synthesised. Returns the total duration in seconds. */
  async #send(current: Current, text: string, voice: VoiceName): Promise<number> {
    let seconds = 0;
    let stream: Awaited<ReturnType<typeof this.room.localParticipant.streamBytes>> | null = null;
    for (const sentence of toSentences(text)) {
      const samples = await this.#speak(sentence, voice);
      const avatar = await Promise.race([this.#ready.promise, current.stopped.promise]);
      if (isStopped(current.state) || typeof avatar !== 'string') break;

      if (!stream) {
        this.#hasSentStreams = true;
        stream = await this.#openStream(avatar);
        current.state = nextState(current.state, 'stream_opened');
        this.#wire('agent', `${SPEECH_TOPIC} · ${VOICE_RATE / 1000} kHz, mono`);
        if (isStopped(current.state)) break;
      }
      this.#dispatch({
        type: 'synthesised',
        id: current.id,
        text: sentence,
        seconds: samples.length / VOICE_RATE,
      });
      seconds += samples.length / VOICE_RATE;
      await stream.write(new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength));
    }
    if (stream) {
      await stream.close();
      this.#wire('agent', `${SPEECH_TOPIC} ended · ${seconds.toFixed(2)} s`);
    }
    return seconds;
  }

  #openStream(avatar: string) {
    return this.room.localParticipant.streamBytes({
      name: `AUDIO_${crypto.randomUUID().slice(0, 8)}`,
      topic: SPEECH_TOPIC,
      mimeType: 'audio/pcm',
      destinationIdentities: [avatar],
      attributes: { [SPEECH_RATE]: String(VOICE_RATE), [SPEECH_CHANNELS]: '1' },
    });
  }

  #onStarted(call: RpcInvocationData): string {
    if (call.callerIdentity !== this.#avatar()?.identity) return RPC_REJECT;
    this.#wire('avatar', PLAYBACK_STARTED);
    if (this.#current) this.#dispatch({ type: 'started', id: this.#current.id });
    return RPC_OK;
  }

  #onFinished(call: RpcInvocationData): string {
    if (call.callerIdentity !== this.#avatar()?.identity) return RPC_REJECT;
    const event = JSON.parse(call.payload) as { playback_position: number; interrupted: boolean };
    const cut = event.interrupted ? ', interrupted' : '';
    this.#wire('avatar', `${PLAYBACK_FINISHED} · ${event.playback_position.toFixed(2)} s${cut}`);
    this.#current?.over.resolve({
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

  /** The worker was lost with its buffered speech. Queued utterances wait for the next worker. */
  #onGone(participant: RemoteParticipant): void {
    if (!isAvatarOf(participant, this.room)) return;
    this.#ready = Promise.withResolvers();
    if (this.#current && hasStream(this.#current.state))
      this.#current.over.resolve({ ...notHeard, isInterrupted: true });
  }

  #avatar(): RemoteParticipant | null {
    for (const participant of this.room.remoteParticipants.values()) {
      if (isAvatarOf(participant, this.room)) return participant;
    }
    return null;
  }

  #wire(from: 'agent' | 'avatar', what: string): void {
    this.#dispatch({ type: 'wire', line: { atMs: performance.now() - this.#beganAt, from, what } });
  }
}

const mayBringAvatar = [
  RoomEvent.TrackPublished,
  RoomEvent.ParticipantConnected,
  RoomEvent.ParticipantAttributesChanged,
  RoomEvent.Reconnected,
] as const;

const notHeard: Playback = { heardSeconds: 0, isInterrupted: true };

const isAvatarOf = (participant: RemoteParticipant, room: Room): boolean =>
  participant.attributes[PUBLISH_ON_BEHALF] === room.localParticipant.identity;

const ms = (value: number): string => `${Math.round(value)} ms`;

function after(delayMs: number, run: () => void): () => void {
  const timer = setTimeout(run, delayMs);
  return () => clearTimeout(timer);
}

const aborted = (signal: AbortSignal): Promise<null> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve(null);
    else signal.addEventListener('abort', () => resolve(null), { once: true });
  });
