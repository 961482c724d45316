import { voice } from '@livekit/agents';
import type { AudioFrame } from '@livekit/rtc-node';
import type { Clock } from '#shared/clock.ts';
import type { Log } from '#shared/log.ts';
import type { Face, Finished, SpeechStream } from './face.ts';
import { SPEECH_RATE, UTTERANCE } from './speaking.ts';
import { Utterance } from './utterance.ts';

/** The face answers a clear at once; one that does not has lost it. */
const CLEARED_MS = 2_000;
/** Another worker may have to take the face over first, for which it has 15 s. */
const STALLED_MS = 25_000;
/** The face tells of a segment when its last sample has left, which is a little before it was heard. */
const SLACK_MS = 500;

/*
 * One segment: what the face is sent in one stream and answers once.
 * waiting   the face is not in the room yet       -> sounding when it is; over when it is cut before
 * sounding  its stream was opened                 -> over on the face's word, or when that does not come
 */
type Segment = {
  utterance: Utterance;
  stream: Promise<SpeechStream | null>;
  openedAt: number | null;
  isOver: boolean;
  over: PromiseWithResolvers<null>;
  seconds: number;
};

export type FaceOutputParts = {
  face: Face;
  clock: Clock;
  log: Log;
  onBegun: (utterance: Utterance) => void;
  /** `byFace`: it was cut, and not by us. */
  onOver: (utterance: Utterance, byFace: boolean) => void;
};

/**
 * Speech to the face of one call. Not the framework's own `DataStreamAudioOutput`: that one registers its calls once a process, so that of
 * several calls only the first hears its face; lets a clear that the face cannot answer end the process; and waits for ever for a
 * face that is gone.
 */
export class FaceOutput extends voice.AudioOutput {
  readonly #parts: FaceOutputParts;
  readonly #segments: Segment[] = [];
  #current: Segment | null = null;
  #lastStream: Promise<unknown> = Promise.resolve();
  /** It was cut by the face: the next one is for its successor. */
  #isReplaced = false;
  #cancelTimer = () => {};

  constructor(parts: FaceOutputParts) {
    super(undefined, undefined, { pause: false });
    this.#parts = parts;
  }

  override async captureFrame(frame: AudioFrame): Promise<void> {
    await super.captureFrame(frame);
    const segment = (this.#current ??= this.#begin(frame));
    // Who is cut before the face came waits for it no longer.
    const stream = await Promise.race([segment.stream, segment.over.promise]);
    if (segment.isOver || !stream) return;
    segment.seconds += frame.samplesPerChannel / frame.sampleRate;
    const { buffer, byteOffset, byteLength } = frame.data;
    await stream
      .write(new Uint8Array(buffer, byteOffset, byteLength))
      .catch((error: unknown) => this.#lose(segment, error));
  }

  override flush(): void {
    super.flush();
    const segment = this.#current;
    if (!segment) return;
    this.#current = null;
    this.#lastStream = segment.stream
      .then((stream) => stream?.close())
      .catch((error: unknown) => this.#lose(segment, error));
    const { clock, log } = this.#parts;
    this.#cancelTimer();
    this.#cancelTimer = clock.after(segment.seconds * 1000 + STALLED_MS, () => {
      log.error('the face did not tell that it had spoken');
      this.#giveUp();
    });
  }

  override clearBuffer(): void {
    if (this.#segments.length === 0) return;
    for (const { utterance } of this.#segments) utterance.isCut = true;
    // The face knows nothing of these, and will not answer.
    for (const segment of this.#segments.filter(({ openedAt }) => openedAt === null))
      this.#over(segment, { positionSeconds: 0, interrupted: true });
    if (this.#segments.length > 0) void this.#clear();
  }

  /** `lk.playback_started`. */
  started(): void {
    const segment = this.#segments.find(({ utterance }) => utterance.startedAt === null);
    if (!segment) return;
    segment.utterance.startedAt = this.#parts.clock.elapsed();
    this.onPlaybackStarted(this.#parts.clock.now());
  }

  /** `lk.playback_finished`. */
  finished(finished: Finished): void {
    const segment = this.#segments.find(({ openedAt }) => openedAt !== null);
    // A successor of the face tells of one more than there was; and what it told our predecessor may be told to us.
    if (!segment || !this.#isPossible(segment, finished)) return;
    if (finished.interrupted && !segment.utterance.isCut) this.#isReplaced = true;
    this.#over(segment, finished);
  }

  /** Nothing is waited for any more. */
  close(): void {
    this.#giveUp();
  }

  /** Nothing is heard faster than it lasts. */
  #isPossible({ openedAt }: Segment, { positionSeconds }: Finished): boolean {
    const sinceOpened = this.#parts.clock.elapsed() - (openedAt ?? 0);
    return positionSeconds * 1000 <= sinceOpened + SLACK_MS;
  }

  #begin(frame: AudioFrame): Segment {
    const { onBegun } = this.#parts;
    const utterance = frame.userdata[UTTERANCE];
    if (!(utterance instanceof Utterance)) throw new Error('sound of no utterance');
    const segment: Segment = {
      utterance,
      stream: Promise.resolve(null),
      openedAt: null,
      isOver: false,
      over: Promise.withResolvers(),
      seconds: 0,
    };
    segment.stream = this.#open(segment);
    this.#segments.push(segment);
    onBegun(utterance);
    return segment;
  }

  async #open(segment: Segment): Promise<SpeechStream | null> {
    const { face, clock, log } = this.#parts;
    try {
      await this.#lastStream;
      log.debug({ anew: this.#isReplaced }, 'speech waits until the face is seen');
      await face.shown(this.#isReplaced);
      this.#isReplaced = false;
      if (segment.isOver) return null;
      segment.openedAt = clock.elapsed();
      log.debug('speech goes to the face');
      return await face.openStream(SPEECH_RATE);
    } catch (error) {
      this.#lose(segment, error);
      return null;
    }
  }

  async #clear(): Promise<void> {
    const { face, clock, log } = this.#parts;
    this.#cancelTimer();
    log.debug('the face is to fall silent');
    try {
      this.#cancelTimer = clock.after(CLEARED_MS, () => this.#giveUp());
      await face.clear();
    } catch (error) {
      log.warn({ err: error }, 'the face could not be told to fall silent');
      this.#giveUp();
    }
  }

  #lose(segment: Segment, error: unknown): void {
    if (segment.isOver) return;
    this.#parts.log.warn({ err: error }, 'speech did not get to the face');
    this.#over(segment, this.#guessed(segment));
  }

  #giveUp(): void {
    for (let segment = this.#segments[0]; segment; segment = this.#segments[0])
      this.#over(segment, this.#guessed(segment));
  }

  /** As far as it must have been heard, when the face does not say it. */
  #guessed({ utterance: { startedAt }, seconds }: Segment): Finished {
    const sinceStart = startedAt === null ? 0 : (this.#parts.clock.elapsed() - startedAt) / 1000;
    return { positionSeconds: Math.min(sinceStart, seconds), interrupted: true };
  }

  #over(segment: Segment, { positionSeconds, interrupted }: Finished): void {
    const { utterance } = segment;
    this.#parts.log.debug({ positionSeconds, interrupted }, 'the face has spoken');
    segment.isOver = true;
    segment.over.resolve(null);
    this.#segments.splice(this.#segments.indexOf(segment), 1);
    if (this.#segments.length === 0) this.#cancelTimer();
    const isByFace = interrupted && !utterance.isCut && segment.openedAt !== null;
    utterance.isCut ||= interrupted;
    utterance.heardSeconds = positionSeconds;
    this.#parts.onOver(utterance, isByFace);
    this.onPlaybackFinished({ playbackPosition: positionSeconds, interrupted });
  }
}
