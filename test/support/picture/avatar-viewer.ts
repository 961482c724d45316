import { RoomEvent, TrackKind, type Room, type VideoFrame } from '@livekit/rtc-node';
import { Listener } from '../../stage/listener.ts';
import { FaceLog } from './face-log.ts';
import { lookOfFrame, type Look } from './likeness.ts';
import { MouthWatch } from './mouth-watch.ts';
import { loudSeconds } from '../sound/loud-seconds.ts';
import { joined } from '../sound/pcm.ts';
import { lastSecond, LOUD, RATE, utterancesIn, type Utterance } from '../sound/rising-tone.ts';

/** A participant that sees and hears one other participant and records both. */
export class AvatarViewer {
  readonly #listener: Listener;
  readonly #of: string;
  readonly #mouth = new MouthWatch();
  /** Which participant showed the face, and when. */
  readonly faces = new FaceLog();
  #frames = 0;
  #lastFrame: VideoFrame | null = null;
  #sound: Int16Array[] = [];
  /** Chunks since the start, also those forgotten. */
  #chunks = 0;
  /** Index in `#heard` of the last chunk that is louder than noise, or -1. */
  #lastLoud = -1;
  /** Samples after it. */
  #silentSamples = 0;

  constructor(of: string) {
    this.#of = of;
    this.#listener = new Listener(
      {
        picture: (frame, { track }) => this.#see(frame, track),
        sound: (samples) => this.#hear(samples),
      },
      of,
    );
    this.room
      .on(RoomEvent.TrackSubscribed, ({ kind, sid = '' }, _publication, participant) => {
        if (participant.identity === of && kind === TrackKind.KIND_VIDEO)
          this.faces.subscribed(sid, participant.sid ?? '');
      })
      .on(RoomEvent.TrackUnsubscribed, ({ kind, sid = '' }, _publication, { identity }) => {
        if (identity === of && kind === TrackKind.KIND_VIDEO) this.faces.unsubscribed(sid);
      })
      .on(RoomEvent.ParticipantConnected, ({ identity, sid = '' }) => {
        if (identity === of) this.faces.came(sid);
      })
      .on(RoomEvent.ParticipantDisconnected, ({ identity, sid = '' }) => {
        if (identity === of) this.faces.left(sid);
      });
  }

  get room(): Room {
    return this.#listener.room;
  }

  join(url: string, token: string, autoSubscribe?: boolean): Promise<void> {
    return this.#listener.join(url, token, autoSubscribe);
  }

  /** Subscribes to picture or sound once it is published, after a join without subscriptions. */
  async subscribe(trackKind: TrackKind): Promise<void> {
    const publication = await this.#listener.find(
      `track of kind ${trackKind}`,
      () => this.#publications().find(({ kind }) => kind === trackKind) ?? null,
    );
    publication.setSubscribed(true);
  }

  /** The last frame, or null. */
  get look(): Look | null {
    const frame = this.#lastFrame;
    return frame && lookOfFrame(frame.data, frame.width, frame.height);
  }

  get frames(): number {
    return this.#frames;
  }

  /** Width of the last frame, or null. */
  get width(): number | null {
    return this.#lastFrame?.width ?? null;
  }

  /** Resolves after `count` more frames. */
  sees(count: number): Promise<void> {
    const enough = this.#frames + count;
    return this.#until(() => this.#frames >= enough);
  }

  /** Stops receiving frames, whose decoding costs more than listening. */
  closeEyes(): void {
    for (const publication of this.#publications())
      if (publication.kind === TrackKind.KIND_VIDEO) publication.setSubscribed(false);
  }

  /** Resolves with the first frame of another participant than `sid`. */
  seesOther(sid: string, patienceMs?: number): Promise<void> {
    return this.#until(() => this.faces.firstOfOther(sid) !== undefined, patienceMs);
  }

  /** How many frames so far have another mouth than the frame before. */
  get mouthMoves(): number {
    return this.#mouth.moves;
  }

  /** Resolves when `seconds` of the rising tone can be read from the sound. */
  hears(seconds: number, patienceMs?: number): Promise<void> {
    return this.#until(
      this.#everyTenthOfSecond(() => (this.lastHeard() ?? 0) >= seconds),
      patienceMs,
    );
  }

  hearsNothingFor(seconds: number): Promise<void> {
    return this.#until(() => this.#silentSamples >= seconds * RATE);
  }

  /** Resolves when the sound arrives, silence included. */
  listens(): Promise<void> {
    return this.#until(() => this.#sound.length > 0);
  }

  /** Forgets the sound heard so far. */
  forget(): void {
    this.#sound = [];
    this.#lastLoud = -1;
    this.#silentSamples = 0;
  }

  /** The last second of the rising tone that was heard clearly, or null. */
  lastHeard(): number | null {
    return lastSecond(this.#lastSamples(RATE));
  }

  /** Resolves when so many seconds louder than noise were heard. */
  hearsSpeech(seconds: number): Promise<void> {
    return this.#until(this.#everyTenthOfSecond(() => this.loudSeconds >= seconds));
  }

  /** Seconds heard so far that are louder than noise. */
  get loudSeconds(): number {
    return loudSeconds(joined(...this.#sound), RATE);
  }

  /** All utterances heard. */
  get utterances(): Utterance[] {
    return utterancesIn(joined(...this.#sound));
  }

  leave(): Promise<void> {
    return this.#listener.leave();
  }

  #publications() {
    return this.#listener.publicationsOf(this.#of);
  }

  #see(frame: VideoFrame, track: string): void {
    this.faces.saw(track);
    this.#frames += 1;
    this.#mouth.see(frame);
    this.#lastFrame = frame;
  }

  #hear(samples: Int16Array): void {
    this.#sound.push(samples);
    this.#chunks += 1;
    const isLoud = samples.some((sample) => Math.abs(sample) > LOUD);
    if (isLoud) this.#lastLoud = this.#sound.length - 1;
    this.#silentSamples = isLoud ? 0 : this.#silentSamples + samples.length;
  }

  /** Analysing all sound with each of its chunks would keep a slow machine busy. */
  #everyTenthOfSecond(isTrue: () => boolean): () => boolean {
    let nextCheck = this.#chunks;
    return () => {
      if (this.#chunks < nextCheck) return false;
      nextCheck = this.#chunks + 10;
      return isTrue();
    };
  }

  async #until(isTrue: () => boolean, patienceMs?: number): Promise<void> {
    await this.#listener.find(String(isTrue), () => isTrue() || null, patienceMs);
  }

  /** Up to the last loud sample, and a little more than `length` before it. */
  #lastSamples(length: number): Int16Array {
    const chunks: Int16Array[] = [];
    for (let at = this.#lastLoud, have = 0; at >= 0 && have < length; at--) {
      chunks.unshift(this.#sound[at]!);
      have += this.#sound[at]!.length;
    }
    return joined(...chunks);
  }
}
