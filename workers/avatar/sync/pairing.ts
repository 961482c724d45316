import type { Clock } from '#shared/clock.ts';
import type { Segments } from '../speech/segments.ts';
import type { Segment } from '../speech/segment.ts';
import type { Performer } from '../performer/performer.ts';
import { AUDIO_QUEUE_MS, AUDIO_RATE, type Transport } from '../transport/transport.ts';
import type { Playback } from './playback.ts';
import { SourceLag } from './source-lag.ts';

/**
 * How much is given to the audio source ahead of its time. It plays by itself, so a busy event loop is not heard: one that receives half a minute
 * of speech at once stood still for 100 ms and more, and a source that runs dry makes every later position of the segment wrong.
 */
const LEAD_MS = 600;
/** Less at first: speech goes out before the rest of the lead is converted. */
const FIRST_LEAD_MS = 200;
/** More is given when this little is left. */
const REFILL_MS = 400;
/**
 * A segment that arrives in real time begins (again) with this much in hand, or after waiting for it this long: a process that draws the
 * pictures of several sessions stands still for longer than the 20 ms between two pieces. It is also all that the mouth knows ahead then, and
 * as much as lip-sync can use.
 */
const CUSHION_MS = 60;
/** What is given to a dry or emptied source begins to sound this much later: half of its step of 10 ms, on average. */
const SOURCE_DELAY_MS = 5;
/** A viewer plays sound this much later than it shows the picture of the same moment: its audio buffer holds 20 to 40 ms, its video buffer less. */
export const SOUND_HELD_MS = 25;
/** Dropped when speech begins; given in small parts, as nothing depends on it. */
const SILENCE_MS = 200;
const SILENCE_REFILL_MS = 40;

type Parts = {
  clock: Clock;
  segments: Segments;
  transport: Pick<Transport, 'playAudio' | 'clearAudio'>;
  performer: Pick<Performer, 'hear' | 'hush'>;
  playback: Playback;
};

/**
 * Decides what sounds when, and tells the performer and the playback: audio and video are paired here, on one clock.
 *
 * The source is always in one of these modes:
 *   silent     holds silence only, which keeps the viewer's jitter buffer even -> speaking when a segment has a cushion: the silence is
 *              dropped, so that speech goes out at once
 *   speaking   holds speech until `#endsAt` -> silent when it runs dry (a gap, or the end)
 * The source counts by the same clock as we do (measured: no drift), but may begin late: `#endsAt` is moved by what it answers.
 */
export class Pairing {
  readonly #parts: Parts;
  #isSpeaking = false;
  /** Since when speech has sounded without a gap. */
  #speaksFrom = 0;
  /** When the source runs dry. */
  #endsAt: number;
  readonly #lag: SourceLag;
  /** Since when a segment has waited for its cushion. */
  #waitingSince: number | null = null;
  #cancelTimer = () => {};
  #isHeld = false;
  #isClosed = false;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#endsAt = parts.clock.elapsed();
    this.#lag = new SourceLag(parts.clock, (byMs) => {
      this.#endsAt += byMs;
      parts.playback.move(byMs);
    });
  }

  /** Call when speech came in; calls itself when the source needs more. */
  feed = (): void => {
    if (this.#isClosed) return;
    this.#cancelTimer();
    const now = this.#parts.clock.elapsed();
    if (this.#endsAt <= now) {
      this.#fallSilent();
      this.#endsAt = now + SOURCE_DELAY_MS;
    }
    if (!this.#isHeld) this.#giveSpeech(now);
    if (!this.#isSpeaking && this.#endsAt - now < SILENCE_REFILL_MS) this.#giveSilence();
    this.#wakeAt(this.#nextWake(now));
  };

  /** Nothing more sounds: the source is emptied, everything that is open is reported as interrupted. */
  clear(): void {
    const now = this.#parts.clock.elapsed();
    this.#parts.segments.clear();
    this.#hush(now);
    this.#parts.playback.cut();
    this.feed();
  }

  /** Nothing more sounds from now on; what is open is kept, and reported by nobody but a `clear`. */
  hold(): void {
    this.#isHeld = true;
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
    this.#isSpeaking = false;
    this.#lag.forget();
  }

  /** How long after now speech that comes in now would sound. */
  get queuedMs(): number {
    const ahead = this.#isSpeaking ? this.#endsAt - this.#parts.clock.elapsed() : 0;
    return Math.max(0, ahead) + this.#parts.segments.waitingMs;
  }

  /**
   * How much later than it should, by its sound, the picture of `atMs` leaves when it leaves now: its mouth is that of the sound which left
   * `SOUND_HELD_MS` before `atMs`. Null when that was no speech.
   */
  offsetMs(atMs: number): number | null {
    const soundedAt = atMs - SOUND_HELD_MS;
    const isOfSpeech = this.#speaksFrom <= soundedAt && soundedAt < this.#endsAt;
    return this.#isSpeaking && isOfSpeech ? this.#parts.clock.elapsed() - atMs : null;
  }

  close(): void {
    this.#isClosed = true;
    this.#cancelTimer();
    this.#lag.forget();
  }

  #giveSpeech(now: number): void {
    const { segments, playback } = this.#parts;
    for (;;) {
      const segment = segments.first;
      if (!segment) return;
      if (this.#mayGive(segment, now)) this.#give(segment, now);
      if (!segment.isExhausted) return;
      segments.shift();
      playback.complete(segment.id);
    }
  }

  #give(segment: Segment, now: number): void {
    const { transport, performer, playback } = this.#parts;
    const ahead = this.#isSpeaking ? this.#endsAt - now : 0;
    if (ahead > REFILL_MS && segment.availableMs + ahead > LEAD_MS) return;
    const stretch = segment.take((this.#isSpeaking ? LEAD_MS : FIRST_LEAD_MS) - ahead);
    if (!stretch) return;

    if (!this.#isSpeaking) {
      transport.clearAudio();
      this.#isSpeaking = true;
      this.#endsAt = now + SOURCE_DELAY_MS;
      this.#speaksFrom = this.#endsAt;
    }
    this.#waitingSince = null;
    const from = this.#endsAt;
    this.#endsAt += (stretch.sound.length / AUDIO_RATE) * 1000;
    this.#play(stretch.sound, now);
    playback.sound(segment.id, from, stretch.ownMs);
    if (stretch.hearing.length > 0) {
      performer.hear(stretch.hearing, from + stretch.hearingOffsetMs + SOUND_HELD_MS);
    }
  }

  /** A source that has room for all of it answers at once, which tells nothing. */
  #play(sound: Int16Array, now: number): void {
    const isTelling = this.#endsAt - now > AUDIO_QUEUE_MS;
    const onTaken = isTelling ? this.#lag.expect(this.#endsAt - AUDIO_QUEUE_MS) : () => {};
    this.#parts.transport.playAudio(sound, onTaken);
  }

  #giveSilence(): void {
    this.#parts.transport.playAudio(new Int16Array((SILENCE_MS * AUDIO_RATE) / 1000), () => {});
    this.#endsAt += SILENCE_MS;
  }

  /** A live segment gets its cushion even behind another one: nothing that comes later would make up for it. */
  #mayGive(segment: Segment, now: number): boolean {
    const follows = this.#isSpeaking && (segment.isBegun || !segment.isLive);
    return follows || this.#hasCushion(segment, now);
  }

  #hasCushion(segment: Segment, now: number): boolean {
    if (segment.isEnded || segment.availableMs >= CUSHION_MS) return true;
    if (segment.availableMs < 10) return false;
    this.#waitingSince ??= now;
    return now - this.#waitingSince >= CUSHION_MS;
  }

  /** The next refill, the end of a wait for the cushion, or the moment when the source runs dry. */
  #nextWake(now: number): number {
    const segment = this.#parts.segments.first;
    if (this.#isSpeaking) {
      const hasMore = segment && segment.availableMs >= 10 && this.#waitingSince === null;
      return hasMore ? this.#endsAt - REFILL_MS : this.#endsAt;
    }
    const refill = this.#endsAt - SILENCE_REFILL_MS + 1;
    // Once the wait is over only more speech can change anything.
    const waitEnds = (this.#waitingSince ?? -Infinity) + CUSHION_MS;
    return waitEnds > now ? Math.min(refill, waitEnds) : refill;
  }

  #wakeAt(atMs: number): void {
    const { clock } = this.#parts;
    this.#cancelTimer = clock.after(Math.max(1, atMs - clock.elapsed()), this.feed);
  }
}
