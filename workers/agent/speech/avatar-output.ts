import { voice } from '@livekit/agents';
import type { AudioFrame } from '@livekit/rtc-node';
import type { Clock } from '#shared/clock.ts';
import type { Log } from '#shared/log.ts';
import { faultLevel } from '../../runtime/disconnects.ts';
import type { AvatarParticipant, PlaybackFinished, SpeechStream } from './avatar-participant.ts';
import { nextState, type SegmentState } from './segment-state.ts';
import { SPEECH_RATE, UTTERANCE } from './speak-text.ts';
import { Utterance } from './utterance.ts';

/** An avatar answers a clear at once. After this long the clear is lost. */
const CLEARED_MS = 2_000;
/** Another worker may first have to take over the avatar, for which it has 15 s. */
const STALLED_MS = 25_000;
/**
 * Speech leaves this much faster than it plays. Twelve seconds of it at once stopped the avatar's
 * sound for 200 ms on two cores.
 */
const TIMES_PLAYBACK = 4;
/** Length of the speech that leaves at once, at the start and after a pause. */
const BURST_MS = 2_000;
/** The avatar reports a segment when its last sample has left, slightly before it is heard. */
const SLACK_MS = 500;

type Segment = {
  utterance: Utterance;
  stream: Promise<SpeechStream | null>;
  state: SegmentState;
  end: PromiseWithResolvers<null>;
  seconds: number;
};

type AvatarOutputParts = {
  avatar: AvatarParticipant;
  clock: Clock;
  log: Log;
  onBegun: (utterance: Utterance) => void;
  /** `byAvatar`: the avatar interrupted it without a clear from here. */
  onOver: (utterance: Utterance, byAvatar: boolean) => void;
};

/**
 * Sends one call's speech to its avatar. Replaces the framework's `DataStreamAudioOutput`, which
 * registers its RPC methods once per process, so only the first of several calls hears its avatar;
 * ends the process when an avatar cannot answer a clear; and waits forever for a lost avatar.
 */
export class AvatarOutput extends voice.AudioOutput {
  readonly #parts: AvatarOutputParts;
  /** All that are not over, oldest first. */
  readonly #segments: Segment[] = [];
  #current: Segment | null = null;
  #lastStream: Promise<unknown> = Promise.resolve();
  /** The avatar interrupted a segment by itself: the next one is for its successor. */
  #isReplaced = false;
  /** When all speech captured so far would have left without a burst. */
  #leftBy = -Infinity;
  #cancelTimer = () => {};

  constructor(parts: AvatarOutputParts) {
    super(undefined, undefined, { pause: false });
    this.#parts = parts;
  }

  override async captureFrame(frame: AudioFrame): Promise<void> {
    await super.captureFrame(frame);
    const segment = (this.#current ??= this.#begin(frame));
    // An interruption before the avatar is visible must not wait for it.
    const stream = await Promise.race([segment.stream, segment.end.promise]);
    if (isOver(segment) || !stream) return;
    const seconds = frame.samplesPerChannel / frame.sampleRate;
    await this.#keepPace(segment, seconds);
    if (isOver(segment)) return;
    segment.seconds += seconds;
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
    if (isOver(segment)) return;
    const { clock, log } = this.#parts;
    this.#cancelTimer();
    this.#cancelTimer = clock.after(segment.seconds * 1000 + STALLED_MS, () => {
      log.error('the avatar did not report the end of playback');
      this.#giveUp();
    });
  }

  override clearBuffer(): void {
    if (this.#segments.length === 0) return;
    for (const { utterance } of this.#segments) utterance.isCut = true;
    // The avatar knows nothing of waiting segments and does not report them.
    for (const segment of this.#segments.filter(({ state }) => state.type === 'waiting'))
      this.#finish(segment, { positionSeconds: 0, interrupted: true });
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
  finished(finished: PlaybackFinished): void {
    const segment = this.#segments.find(({ state }) => state.type === 'sent');
    // Reports may be for speech from elsewhere: an avatar's successor reports one segment too many,
    // and a report to this agent's predecessor may arrive here.
    if (!segment || !this.#isPossible(segment, finished)) return;
    if (finished.interrupted && !segment.utterance.isCut) this.#isReplaced = true;
    // An avatar that ends a segment before all was sent does not play the rest.
    const isPart = segment === this.#current;
    this.#finish(segment, { ...finished, interrupted: finished.interrupted || isPart });
  }

  /** Ends all segments without waiting for reports. */
  close(): void {
    this.#giveUp();
  }

  /** Playback is never faster than real time. */
  #isPossible({ state }: Segment, { positionSeconds }: PlaybackFinished): boolean {
    const openedAt = state.type === 'sent' ? state.openedAt : 0;
    const sinceOpened = this.#parts.clock.elapsed() - openedAt;
    return positionSeconds * 1000 <= sinceOpened + SLACK_MS;
  }

  /** Resolves when this much more of the segment may leave, or when it is over. */
  async #keepPace(segment: Segment, seconds: number): Promise<void> {
    const { clock } = this.#parts;
    const now = clock.elapsed();
    this.#leftBy = Math.max(this.#leftBy, now) + (seconds * 1000) / TIMES_PLAYBACK;
    const waitMs = this.#leftBy - now - BURST_MS / TIMES_PLAYBACK;
    if (waitMs <= 0) return;
    const waited = Promise.withResolvers<null>();
    const cancel = clock.after(waitMs, () => waited.resolve(null));
    await Promise.race([waited.promise, segment.end.promise]);
    cancel();
  }

  #begin(frame: AudioFrame): Segment {
    const { onBegun } = this.#parts;
    const utterance = frame.userdata[UTTERANCE];
    if (!(utterance instanceof Utterance)) throw new Error('audio frame without an utterance');
    const segment: Segment = {
      utterance,
      stream: Promise.resolve(null),
      state: { type: 'waiting' },
      end: Promise.withResolvers(),
      seconds: 0,
    };
    segment.stream = this.#open(segment);
    this.#segments.push(segment);
    onBegun(utterance);
    return segment;
  }

  async #open(segment: Segment): Promise<SpeechStream | null> {
    const { avatar, clock, log } = this.#parts;
    try {
      await this.#lastStream;
      log.debug({ isReplacement: this.#isReplaced }, 'speech waits for the avatar');
      await avatar.whenVisible(this.#isReplaced);
      this.#isReplaced = false;
      segment.state = nextState(segment.state, { type: 'opened', at: clock.elapsed() });
      if (isOver(segment)) return null;
      log.debug('speech is sent to the avatar');
      return await avatar.openStream(SPEECH_RATE);
    } catch (error) {
      this.#lose(segment, error);
      return null;
    }
  }

  async #clear(): Promise<void> {
    const { avatar, clock, log } = this.#parts;
    this.#cancelTimer();
    log.debug('playback is interrupted');
    try {
      this.#cancelTimer = clock.after(CLEARED_MS, () => this.#giveUp());
      await avatar.clear();
    } catch (error) {
      log[faultLevel(error)]({ err: error }, 'the avatar could not be interrupted');
      this.#giveUp();
    }
  }

  #lose(segment: Segment, error: unknown): void {
    if (isOver(segment)) return;
    this.#parts.log[faultLevel(error)]({ err: error }, 'speech did not reach the avatar');
    this.#finish(segment, this.#estimated(segment));
  }

  #giveUp(): void {
    for (let segment = this.#segments[0]; segment; segment = this.#segments[0])
      this.#finish(segment, this.#estimated(segment));
  }

  /** Playback position by the clock, without a report. */
  #estimated({ utterance: { startedAt }, seconds }: Segment): PlaybackFinished {
    const sinceStart = startedAt === null ? 0 : (this.#parts.clock.elapsed() - startedAt) / 1000;
    return { positionSeconds: Math.min(sinceStart, seconds), interrupted: true };
  }

  #finish(segment: Segment, { positionSeconds, interrupted }: PlaybackFinished): void {
    const { utterance } = segment;
    this.#parts.log.debug({ positionSeconds, interrupted }, 'playback finished');
    const wasSent = segment.state.type === 'sent';
    this.#leftBy = -Infinity;
    segment.state = nextState(segment.state, { type: 'finished' });
    segment.end.resolve(null);
    this.#segments.splice(this.#segments.indexOf(segment), 1);
    if (this.#segments.length === 0) this.#cancelTimer();
    const isByAvatar = interrupted && !utterance.isCut && wasSent;
    utterance.isCut ||= interrupted;
    utterance.heardSeconds = positionSeconds;
    this.#parts.onOver(utterance, isByAvatar);
    this.onPlaybackFinished({ playbackPosition: positionSeconds, interrupted });
  }
}

// A function: the compiler assumes that the state stays the same while `captureFrame` waits.
const isOver = ({ state }: Segment): boolean => state.type === 'over';
