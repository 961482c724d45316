/*
 * Plays the agent's part in the room, as a voice agent's framework does: sends speech to the avatar, hears from it what was played, and
 * can stop it. One utterance at a time: the next is sent when the avatar has said that the last is over.
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
  SPEECH_TOPIC,
} from '#protocol/room-terms.ts';
import type { TryEvent } from './try-state.ts';

export type Speak = (sentence: string, voice: VoiceName) => Promise<Int16Array>;

setLogLevel('warn');

type Playback = { heardSeconds: number; isInterrupted: boolean };

/** An utterance on its way: `over` settles once, by the avatar's report or because nobody will report any more. */
type Current = {
  id: number;
  isStopped: boolean;
  isSending: boolean;
  over: PromiseWithResolvers<Playback>;
};

/** The avatar's report may come this much later than the speech is long; then it is taken for lost. */
const REPORT_GRACE_MS = 8000;

export class AgentSeat {
  readonly room = new Room();
  readonly #speak: Speak;
  readonly #tell: (event: TryEvent) => void;
  readonly #beganAt = performance.now();
  #current: Current | null = null;
  #line: Promise<void> = Promise.resolve();
  #ready = Promise.withResolvers<string>();
  #waiting = new Set<number>();
  #hasSentStreams = false;
  #isClosed = false;

  constructor(speak: Speak, tell: (event: TryEvent) => void) {
    this.#speak = speak;
    this.#tell = tell;
    this.room.registerRpcMethod(PLAYBACK_STARTED, async (call) => this.#onStarted(call));
    this.room.registerRpcMethod(PLAYBACK_FINISHED, async (call) => this.#onFinished(call));
    for (const event of mayBringAvatar) this.room.on(event, () => this.#lookForAvatar());
    this.room.on(RoomEvent.ParticipantDisconnected, (participant) => this.#onGone(participant));
  }

  async join(url: string, token: string): Promise<void> {
    await this.room.connect(url, token, { autoSubscribe: false });
    this.#lookForAvatar();
  }

  /** The avatar says it when all that was said before is over. */
  say(id: number, text: string, voice: VoiceName): void {
    this.#waiting.add(id);
    this.#line = this.#line.then(() => this.#perform(id, text, voice));
  }

  /** An avatar that was sent a stream hears no track in this session. */
  get hasSentStreams(): boolean {
    return this.#hasSentStreams;
  }

  /** Speaks by a track instead. Resolves when the avatar listens, with what takes the track back. */
  async voice(track: MediaStreamTrack, signal: AbortSignal): Promise<() => void> {
    const avatar = await Promise.race([this.#ready.promise, aborted(signal)]);
    if (avatar === null) return () => {};
    const takeBack = await publishVoice(this.room, avatar, track, signal);
    this.#wire('avatar', 'hears the track');
    return () => {
      takeBack();
      this.#wire('agent', 'the track ended');
    };
  }

  /** Silence, now; what waits is dropped too. */
  async stop(): Promise<void> {
    for (const id of this.#waiting) this.#tell({ type: 'not_spoken', id, isFailed: false });
    this.#waiting.clear();
    const current = this.#current;
    if (!current) return;
    current.isStopped = true;
    if (!current.isSending) return current.over.resolve(notHeard);
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
    this.#current?.over.resolve(notHeard);
    await this.room.disconnect();
  }

  async #perform(id: number, text: string, voice: VoiceName): Promise<void> {
    if (!this.#waiting.delete(id)) return;
    const over = Promise.withResolvers<Playback>();
    const current = { id, isStopped: false, isSending: false, over };
    this.#current = current;
    try {
      const seconds = await this.#send(current, text, voice);
      if (!current.isSending) over.resolve(notHeard);
      const cancel = after(seconds * 1000 + REPORT_GRACE_MS, () => {
        this.#wire('agent', 'no report came: taken for lost');
        over.resolve(notHeard);
      });
      const playback = await over.promise;
      cancel();
      this.#tell({ type: 'finished', id, ...playback });
    } catch (error) {
      this.#tell({ type: 'not_spoken', id, isFailed: !this.#isClosed });
      if (!this.#isClosed) console.error('an utterance was not sent', error);
    } finally {
      this.#current = null;
    }
  }

  /** Sentence by sentence, each as soon as it is synthesised; returns how long all of it is. */
  async #send(current: Current, text: string, voice: VoiceName): Promise<number> {
    let seconds = 0;
    let stream: Awaited<ReturnType<typeof this.room.localParticipant.streamBytes>> | null = null;
    for (const sentence of toSentences(text)) {
      const samples = await this.#speak(sentence, voice);
      const avatar = await Promise.race([this.#ready.promise, current.over.promise]);
      if (current.isStopped || typeof avatar !== 'string') break;

      if (!stream) {
        this.#hasSentStreams = true;
        stream = await this.#openStream(avatar);
        current.isSending = true;
        this.#wire('agent', `${SPEECH_TOPIC} · ${VOICE_RATE / 1000} kHz, mono`);
      }
      this.#tell({
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
      attributes: { sample_rate: String(VOICE_RATE), num_channels: '1' },
    });
  }

  #onStarted(call: RpcInvocationData): string {
    if (call.callerIdentity !== this.#avatar()?.identity) return 'reject';
    this.#wire('avatar', PLAYBACK_STARTED);
    if (this.#current) this.#tell({ type: 'started', id: this.#current.id });
    return 'ok';
  }

  #onFinished(call: RpcInvocationData): string {
    if (call.callerIdentity !== this.#avatar()?.identity) return 'reject';
    const event = JSON.parse(call.payload) as { playback_position: number; interrupted: boolean };
    const cut = event.interrupted ? ', interrupted' : '';
    this.#wire('avatar', `${PLAYBACK_FINISHED} · ${event.playback_position.toFixed(2)} s${cut}`);
    this.#current?.over.resolve({
      heardSeconds: event.playback_position,
      isInterrupted: event.interrupted,
    });
    return 'ok';
  }

  /** Speech is held back until the avatar shows a picture: only then does it listen. */
  #lookForAvatar(): void {
    const avatar = this.#avatar();
    if (avatar && avatar.videoTrackPublications.size > 0) this.#ready.resolve(avatar.identity);
  }

  /** Its worker was lost. What it had of the speech is gone; what waits is for the one that comes back. */
  #onGone(participant: RemoteParticipant): void {
    if (!isAvatarOf(participant, this.room)) return;
    this.#ready = Promise.withResolvers();
    if (this.#current?.isSending) this.#current.over.resolve({ ...notHeard, isInterrupted: true });
  }

  #avatar(): RemoteParticipant | null {
    for (const participant of this.room.remoteParticipants.values()) {
      if (isAvatarOf(participant, this.room)) return participant;
    }
    return null;
  }

  #wire(from: 'agent' | 'avatar', what: string): void {
    this.#tell({ type: 'wire', line: { atMs: performance.now() - this.#beganAt, from, what } });
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
