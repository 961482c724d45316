import type { Clock } from '#shared/clock.ts';
import type { SpeechPlace } from './client-speech.ts';

/** Bound for captions of speech that is still queued; the oldest are forgotten. */
const MAX_WAITING = 1_000;

type Waiting = SpeechPlace & { text: string };

/**
 * Sends the client's captions back when the speech that they belong to is played. Speech that stalls
 * in mid-utterance, because the client sends it too slowly, is not known here: the captions after
 * the stall are early by its length.
 */
export class Captions {
  readonly #clock: Clock;
  readonly #send: (text: string) => void;
  #waiting: Waiting[] = [];
  /** Utterances that were played or interrupted. */
  #finished = 0;
  /** Since when the utterance after them has been playing. */
  #startedAt: number | null = null;
  #cancelTimer = () => {};

  constructor(clock: Clock, send: (text: string) => void) {
    this.#clock = clock;
    this.#send = send;
  }

  add(text: string, place: SpeechPlace): void {
    this.#waiting.push({ ...place, text });
    if (this.#waiting.length > MAX_WAITING) this.#waiting.shift();
    this.#update();
  }

  /** The next utterance begins to play. */
  started(): void {
    this.#startedAt = this.#clock.elapsed();
    this.#update();
  }

  /** Called for every utterance, in order. */
  finished(interrupted: boolean): void {
    this.#finished += 1;
    this.#startedAt = null;
    const over = this.#waiting.filter(({ utterance }) => utterance <= this.#finished);
    this.#waiting = this.#waiting.filter(({ utterance }) => utterance > this.#finished);
    if (!interrupted) for (const { text } of over) this.#send(text);
    this.#update();
  }

  close(): void {
    this.#cancelTimer();
    this.#waiting = [];
  }

  #update(): void {
    this.#cancelTimer();
    if (this.#startedAt === null) return;
    const playedMs = this.#clock.elapsed() - this.#startedAt;
    const current = this.#finished + 1;
    for (let first = this.#waiting[0]; first?.utterance === current; first = this.#waiting[0]) {
      const leftMs = first.offsetMs - playedMs;
      if (leftMs > 0) {
        this.#cancelTimer = this.#clock.after(leftMs, () => this.#update());
        return;
      }
      this.#waiting.shift();
      this.#send(first.text);
    }
  }
}
