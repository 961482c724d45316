import type { Clock } from '#shared/clock.ts';
import type { SpeechPlace } from './client-speech.ts';

/** Bound for captions of speech that is still queued; the oldest are forgotten. */
const MAX_WAITING = 1_000;

type Caption = SpeechPlace & { text: string };

/**
 * Sends the client's captions back when the speech that they belong to is played. Speech that
 * stalls in mid-utterance, because the client sends it too slowly, is not known here: the captions
 * after the stall are early by its length.
 */
export class Captions {
  readonly #clock: Clock;
  readonly #send: (text: string) => void;
  #captions: Caption[] = [];
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
    this.#captions.push({ ...place, text });
    if (this.#captions.length > MAX_WAITING) this.#captions.shift();
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
    const finishedCaptions = this.#captions.filter(({ utterance }) => utterance <= this.#finished);
    this.#captions = this.#captions.filter(({ utterance }) => utterance > this.#finished);
    if (!interrupted) for (const { text } of finishedCaptions) this.#send(text);
    this.#update();
  }

  close(): void {
    this.#cancelTimer();
    this.#captions = [];
  }

  #update(): void {
    this.#cancelTimer();
    if (this.#startedAt === null) return;
    const playedMs = this.#clock.elapsed() - this.#startedAt;
    const current = this.#finished + 1;
    for (
      let caption = this.#captions[0];
      caption?.utterance === current;
      caption = this.#captions[0]
    ) {
      const leftMs = caption.offsetMs - playedMs;
      if (leftMs > 0) {
        this.#cancelTimer = this.#clock.after(leftMs, () => this.#update());
        return;
      }
      this.#captions.shift();
      this.#send(caption.text);
    }
  }
}
