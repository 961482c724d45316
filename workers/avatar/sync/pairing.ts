import type { Clock } from '#shared/clock.ts';
import type { Segments } from '../speech/segments.ts';
import type { Segment } from '../speech/segment.ts';
import type { Performer } from '../performer/performer.ts';
import { AUDIO_RATE, AUDIO_STEP_MS, audioMs } from '#protocol/audio.ts';
import { AUDIO_QUEUE_MS, type Transport } from '../transport/transport.ts';
import type { Playback } from './playback.ts';
import { SourceLag } from './source-lag.ts';

/**
 * Speech queued in the audio source. The source plays by itself, so the queue hides stalls of the
 * event loop: receiving half a minute of speech at once has blocked it for more than 100 ms. A
 * source that runs dry makes all later positions of the segment wrong.
 */
const LEAD_MS = 600;
/** The first run is shorter, so that speech starts before the rest of the lead is converted. */
const FIRST_LEAD_MS = 200;
const REFILL_MS = 400;
/**
 * A segment that arrives in real time starts, and restarts, with this much buffered, or after
 * waiting this long for it: drawing for several sessions can block the process for longer than the
 * 20 ms between two chunks. It is also the look-ahead of lip-sync, which has no use for more.
 */
const CUSHION_MS = 60;
/** Silence queued while no speech plays. Dropped when speech begins. */
const SILENCE_MS = 200;
const SILENCE_REFILL_MS = 40;
const SILENCE_SAMPLES = (SILENCE_MS * AUDIO_RATE) / 1000;

type Parts = {
  clock: Clock;
  segments: Segments;
  transport: Pick<
    Transport,
    'playAudio' | 'playSilence' | 'clearAudio' | 'startDelayMs' | 'audioDelayMs'
  >;
  performer: Pick<Performer, 'hear' | 'hush'>;
  playback: Playback;
};

/*
 * Whether speech may play.
 *
 * waiting  the audio is not received yet        -> open when it is
 * open     speech plays                         -> held when another worker takes over
 * held     silence until the session ends here
 */
type Gate = 'waiting' | 'open' | 'held';

/*
 * Content of the audio source.
 *
 * silent    silence, which keeps the viewer's jitter buffer steady
 *           -> speaking when a segment has its cushion
 * speaking  speech without a gap since `since`
 *           -> silent when the source runs dry or is cleared
 */
type Mode = { type: 'silent' } | { type: 'speaking'; since: number };

const SILENT: Mode = { type: 'silent' };

/**
 * Schedules audio and tells the performer and the playback when it plays: audio and video are
 * paired here, on one clock. The source runs on the same clock (measured: no drift), but may begin
 * late; `SourceLag` corrects the plan.
 */
export class Pairing {
  readonly #parts: Parts;
  #mode: Mode = SILENT;
  /** When the source runs dry. */
  #endsAt: number;
  readonly #lag: SourceLag;
  /** Since when the first segment has waited for its cushion. */
  #waitingSince: number | null = null;
  #cancelTimer = () => {};
  #gate: Gate = 'waiting';
  #isClosed = false;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#endsAt = parts.clock.elapsed();
    this.#lag = new SourceLag(parts.clock, (byMs) => {
      this.#endsAt += byMs;
      parts.playback.move(byMs);
    });
  }

  /** Call when speech arrives. Calls itself when the source needs more. */
  feed = (): void => {
    if (this.#isClosed) return;
    this.#cancelTimer();
    const now = this.#parts.clock.elapsed();
    if (this.#endsAt <= now) {
      this.#fallSilent();
      this.#endsAt = now + this.#parts.transport.startDelayMs;
    }
    if (this.#gate === 'open') this.#queueSpeech(now);
    if (!this.#isSpeaking && this.#endsAt - now < SILENCE_REFILL_MS) this.#queueSilence();
    this.#wakeAt(this.#nextWake(now));
  };

  /** Whether speech is kept until the audio is received. */
  get isWaiting(): boolean {
    return this.#gate === 'waiting';
  }

  /** Plays the speech kept so far, and what follows. */
  begin(): void {
    if (this.isWaiting) this.#gate = 'open';
    this.feed();
  }

  /** Drops all speech and finishes open segments as interrupted. */
  clear(): void {
    const now = this.#parts.clock.elapsed();
    this.#parts.segments.clear();
    this.#hush(now);
    this.#parts.playback.cut();
    this.feed();
  }

  /** Silences the session for good. Open segments stay open; only `clear` finishes them. */
  hold(): void {
    this.#gate = 'held';
    this.#hush(this.#parts.clock.elapsed());
    this.#parts.playback.hold();
    this.feed();
  }

  #hush(now: number): void {
    this.#parts.transport.clearAudio();
    this.#parts.performer.hush(now);
    this.#fallSilent();
    this.#endsAt = now;
    this.#waitingSince = null;
  }

  #fallSilent(): void {
    this.#mode = SILENT;
    this.#lag.forget();
  }

  get #isSpeaking(): boolean {
    return this.#mode.type === 'speaking';
  }

  /** Delay until speech that arrives now would play. */
  get queuedMs(): number {
    const ahead = this.#isSpeaking ? this.#endsAt - this.#parts.clock.elapsed() : 0;
    return Math.max(0, ahead) + this.#parts.segments.waitingMs;
  }

  /**
   * How late the frame for `atMs` is if sent now. It shows the mouth of the audio sent the
   * transport's `audioDelayMs` before. Null if that audio was not speech.
   */
  offsetMs(atMs: number): number | null {
    if (this.#mode.type === 'silent') return null;
    const sentAt = atMs - this.#parts.transport.audioDelayMs;
    const isSpeech = this.#mode.since <= sentAt && sentAt < this.#endsAt;
    return isSpeech ? this.#parts.clock.elapsed() - atMs : null;
  }

  close(): void {
    this.#isClosed = true;
    this.#cancelTimer();
    this.#lag.forget();
  }

  #queueSpeech(now: number): void {
    const { segments, playback } = this.#parts;
    for (;;) {
      const segment = segments.first;
      if (!segment) return;
      if (this.#mayQueue(segment, now)) this.#queue(segment, now);
      if (!segment.isExhausted) return;
      segments.shift();
      playback.complete(segment.id);
    }
  }

  #queue(segment: Segment, now: number): void {
    const { transport, performer, playback } = this.#parts;
    const ahead = this.#isSpeaking ? this.#endsAt - now : 0;
    if (ahead > REFILL_MS && segment.availableMs + ahead > LEAD_MS) return;
    const run = segment.take((this.#isSpeaking ? LEAD_MS : FIRST_LEAD_MS) - ahead);
    if (!run) return;

    if (!this.#isSpeaking) {
      transport.clearAudio();
      this.#endsAt = now + transport.startDelayMs;
      this.#mode = { type: 'speaking', since: this.#endsAt };
    }
    this.#waitingSince = null;
    const from = this.#endsAt;
    this.#endsAt += audioMs(run.sound.length);
    this.#play(run.sound, now);
    playback.schedule(segment.id, from, run.ownMs);
    if (run.hearing.length > 0) {
      performer.hear(run.hearing, from + run.hearingOffsetMs + transport.audioDelayMs);
    }
  }

  /** A source with room for all of it confirms at once, which says nothing about its lag. */
  #play(sound: Int16Array, now: number): void {
    const mustWait = this.#endsAt - now > AUDIO_QUEUE_MS;
    const onTaken = mustWait ? this.#lag.expect(this.#endsAt - AUDIO_QUEUE_MS) : () => {};
    this.#parts.transport.playAudio(sound, onTaken);
  }

  #queueSilence(): void {
    this.#parts.transport.playSilence(SILENCE_SAMPLES);
    this.#endsAt += SILENCE_MS;
  }

  /**
   * A live segment waits for its cushion even behind another segment: it has no later chance to
   * build one.
   */
  #mayQueue(segment: Segment, now: number): boolean {
    const follows = this.#isSpeaking && (segment.hasBegun || !segment.isLive);
    return follows || this.#hasCushion(segment, now);
  }

  #hasCushion(segment: Segment, now: number): boolean {
    if (segment.isEnded || segment.availableMs >= CUSHION_MS) return true;
    if (segment.availableMs < AUDIO_STEP_MS) return false;
    this.#waitingSince ??= now;
    return now - this.#waitingSince >= CUSHION_MS;
  }

  /** The next refill, the end of the wait for the cushion, or the time when the source runs dry. */
  #nextWake(now: number): number {
    const segment = this.#parts.segments.first;
    if (this.#isSpeaking) {
      const hasMore =
        segment && segment.availableMs >= AUDIO_STEP_MS && this.#waitingSince === null;
      return hasMore ? this.#endsAt - REFILL_MS : this.#endsAt;
    }
    const refill = this.#endsAt - SILENCE_REFILL_MS + 1;
    // After the wait, only more speech can change anything.
    const waitEnds = (this.#waitingSince ?? -Infinity) + CUSHION_MS;
    return waitEnds > now ? Math.min(refill, waitEnds) : refill;
  }

  #wakeAt(atMs: number): void {
    const { clock } = this.#parts;
    this.#cancelTimer = clock.after(Math.max(1, atMs - clock.elapsed()), this.feed);
  }
}
