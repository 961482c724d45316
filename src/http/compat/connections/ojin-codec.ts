/*
 * The client's side of a botroom in Ojin's protocol. The client plays its own copy of the speech,
 * one picture of 40 ms at a time, so each 40 ms of sound are sent as one frame with a picture.
 *
 * With the avatar in the caller's room (`identity`), the client gets only frames without content,
 * which tell it how far the speech was played. It sends at most eight seconds ahead of them.
 */
import { pcmMs, type PlaybackHeader } from '#protocol/botroom/headers.ts';
import type { MediaRecord } from '#protocol/botroom/records.ts';
import {
  plain,
  type ClientCodec,
  type CodecPeer,
  type RelayedRecord,
} from '../../../botrooms/client-codec.ts';
import { FRAME_MS, FrameSound, samplesOf } from './frame-sound.ts';
import type { ConnectedClient } from './connected-client.ts';
import {
  readSpeech,
  readType,
  writeError,
  writeFrame,
  writeReady,
  type Frame,
} from './ojin-messages.ts';

/** The client does not mark the end of an utterance; a pause of this length does. */
const PAUSE_MS = 1_000;
/** After more pictures than this without sound, the avatar waits for speech. */
const PICTURES_OF_PAUSE = 2;
/**
 * The client and Pipecat hold that much sound. Measured in Chromium behind SmallWebRTC: 54
 * utterances.
 */
const PICTURES_LATER_MS = 180;
/**
 * Speech in the first piece of an utterance. The client's default, a second, is heard as a delay.
 */
const FIRST_PIECE_MS = 600;

/*
 * idle      no speech is playing             -> speaking with the first sound
 * speaking                                   -> idle when all is played, or the worker finishes
 * cancelled the client interrupted; sound in flight is dropped
 *                                            -> idle when the worker finishes the utterance
 *                                            -> speaking when it starts another one
 */
type Phase = 'idle' | 'speaking' | 'cancelled';

export class OjinCodec implements ClientCodec {
  readonly wants = ['playback'] as const;
  readonly #client: ConnectedClient;
  #peer: CodecPeer | null = null;
  #phase: Phase = 'idle';
  /** The client starts its copy of the speech with the next speech frame. */
  #isNewTurn = true;
  /** The first one is shown; the others follow when they are due. */
  #pictures: { jpeg: Uint8Array; dueAt: number }[] = [];
  #sentPicture: Uint8Array | undefined;
  #picturesSinceSound = 0;
  readonly #sound = new FrameSound();
  /** Speech of this turn: sent by the client, and played in finished utterances. */
  #heardMs = 0;
  #finishedMs = 0;
  /** Speech that is not yet played. */
  #owedMs = 0;
  /** Earliest time at which all speech is played. */
  #heardUntil = 0;
  #isFlushed = true;
  #cancelFlush = () => {};
  #stopFrames = () => {};

  constructor(client: ConnectedClient) {
    this.#client = client;
  }

  open(peer: CodecPeer): () => void {
    this.#peer = peer;
    return () => {
      this.#cancelFlush();
      this.#stopFrames();
    };
  }

  read(message: Buffer, isBinary: boolean): RelayedRecord[] {
    if (isBinary) return this.#hear(readSpeech(message));
    switch (readType(message)) {
      case 'cancelInteraction':
        return this.#interrupt();
      case 'endInteraction':
        return this.#flush();
      default:
        return [];
    }
  }

  write({ type, header, blob }: RelayedRecord): (Uint8Array | string)[] {
    switch (type) {
      case 'ready':
        return this.#ready();
      case 'video':
        return this.#show(blob);
      case 'audio':
        return this.#play({ type, header, blob });
      case 'playback':
        return this.#follow(header as PlaybackHeader);
      case 'error':
        return [writeError('SESSION_OVER', String(header['message']), this.#now)];
      // Not for this protocol, or never sent to a client.
      case 'caption':
      case 'statistics':
      case 'flush':
      case 'interrupt':
      case 'listen':
      case 'close':
      case 'hello':
      case 'presence':
      case 'released':
        return [];
    }
  }

  get #now(): number {
    return this.#peer?.clock.now() ?? 0;
  }

  get #elapsed(): number {
    return this.#peer?.clock.elapsed() ?? 0;
  }

  get #isElsewhere(): boolean {
    return this.#client.identity !== null;
  }

  #hear(pcm: Uint8Array | null): RelayedRecord[] {
    // The client sends a frame of silence first, to start the pictures of other servers.
    if (!pcm || (this.#owedMs <= 0 && isSilent(pcm))) return [];
    const { sampleRate } = this.#client;
    const header = { sample_rate: sampleRate, num_channels: 1 };
    const record = { type: 'audio', header, blob: pcm } as const;
    const ms = pcmMs(record);
    this.#heardMs += ms;
    this.#owedMs += ms;
    this.#isFlushed = false;
    this.#flushAfter(ms);
    return [record];
  }

  #flushAfter(ms: number): void {
    const peer = this.#peer!;
    const now = peer.clock.elapsed();
    this.#heardUntil = Math.max(now, this.#heardUntil) + ms;
    this.#cancelFlush();
    this.#cancelFlush = peer.clock.after(this.#heardUntil - now + PAUSE_MS, () => {
      for (const record of this.#flush()) peer.receive(record);
    });
  }

  #flush(): RelayedRecord[] {
    this.#cancelFlush();
    if (this.#isFlushed) return [];
    this.#isFlushed = true;
    return [plain('flush')];
  }

  #interrupt(): RelayedRecord[] {
    this.#cancelFlush();
    this.#isFlushed = true;
    this.#heardUntil = 0;
    this.#heardMs = 0;
    this.#finishedMs = 0;
    this.#owedMs = 0;
    this.#sound.clear();
    this.#isNewTurn = true;
    this.#phase = 'cancelled';
    // The client holds back its next utterance until it gets this frame.
    this.#peer!.send(this.#frame({ kind: 'fading' }));
    return [plain('interrupt')];
  }

  #ready(): (Uint8Array | string)[] {
    const { sessionId, identity, notes } = this.#client;
    const webrtc = { status: 'connected', provider: 'livekit', participant_id: identity };
    const parameters = {
      ...notes,
      server_feed_initial_chunk_ms: FIRST_PIECE_MS,
      ...(this.#isElsewhere && { webrtc }),
    };
    this.#tick();
    return [writeReady(sessionId, this.#now, parameters)];
  }

  #show(jpeg: Uint8Array): Uint8Array[] {
    this.#pictures.push({ jpeg, dueAt: this.#elapsed + PICTURES_LATER_MS });
    this.#picturesSinceSound += 1;
    if (this.#phase === 'speaking' && this.#picturesSinceSound <= PICTURES_OF_PAUSE) return [];
    return [...this.#lastFrames(), ...this.#idleFrames()];
  }

  /** One, if the picture has changed. */
  #idleFrames(): Uint8Array[] {
    return this.#picture === this.#sentPicture ? [] : [this.#frame({ kind: 'idle' })];
  }

  get #picture(): Uint8Array | undefined {
    const now = this.#elapsed;
    const later = this.#pictures.findLastIndex(({ dueAt }) => dueAt <= now);
    if (later > 0) this.#pictures.splice(0, later);
    return this.#pictures[0]?.jpeg;
  }

  #play(record: MediaRecord): Uint8Array[] {
    if (this.#phase === 'cancelled') return [];
    const samples = samplesOf(record.blob);
    const isSpeech = this.#phase === 'speaking' || samples.some((sample) => sample !== 0);
    if (!isSpeech) return this.#idleFrames();
    this.#phase = 'speaking';
    this.#picturesSinceSound = 0;
    const frames = this.#sound.add(samples).map((audio) => this.#speechFrame(audio));
    // Sound that was not expected ends with a pause.
    const isLast = this.#owedMs > 0 && this.#pay(pcmMs(record)) === 0;
    if (!isLast) return frames;
    this.#phase = 'idle';
    return [...frames, ...this.#lastFrames()];
  }

  #lastFrames(): Uint8Array[] {
    return this.#sound.rest().map((audio) => this.#speechFrame(audio));
  }

  #follow({ event, position_ms = 0 }: PlaybackHeader): Uint8Array[] {
    const isCancelled = this.#phase === 'cancelled';
    switch (event) {
      case 'started':
        this.#phase = 'speaking';
        return [];
      case 'finished':
        this.#phase = 'idle';
        if (isCancelled) return [];
        this.#finishedMs += position_ms;
        this.#owedMs = settled(this.#heardMs - this.#finishedMs);
        return this.#lastFrames();
    }
  }

  /** In the caller's own room, the frames keep time for the client. */
  #tick(): void {
    if (!this.#isElsewhere) return;
    const peer = this.#peer!;
    const { clock } = peer;
    let dueAt = clock.elapsed();
    const tick = () => {
      // Delays of timers must not add up.
      for (; dueAt <= clock.elapsed(); dueAt += FRAME_MS) peer.send(this.#nextFrame());
    };
    this.#stopFrames();
    this.#stopFrames = clock.every(FRAME_MS, tick);
  }

  #nextFrame(): Uint8Array {
    if (this.#phase !== 'speaking' || this.#owedMs <= 0) return this.#frame({ kind: 'idle' });
    this.#pay(FRAME_MS);
    return this.#speechFrame();
  }

  /** Returns the speech that is still not played. */
  #pay(ms: number): number {
    this.#owedMs = settled(this.#owedMs - ms);
    return this.#owedMs;
  }

  #speechFrame(audio?: Uint8Array): Uint8Array {
    const kind = this.#isNewTurn ? 'firstSpeech' : 'speech';
    this.#isNewTurn = false;
    return this.#frame({ kind, audio });
  }

  #frame(frame: Omit<Frame, 'at' | 'image'>): Uint8Array {
    const image = this.#picture;
    this.#sentPicture = image;
    return writeFrame(this.#client.sessionId, { ...frame, at: this.#now, image });
  }
}

/** Positions are rounded to milliseconds. */
const settled = (ms: number): number => (ms < 10 ? 0 : ms);

const isSilent = (pcm: Uint8Array): boolean => pcm.every((byte) => byte === 0);
