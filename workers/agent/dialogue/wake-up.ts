import type { Clock } from '#shared/clock.ts';
import type { CallBrief } from '#protocol/call-brief.ts';
import { wordsOf } from '../listening/words.ts';

/** How long an agent stays awake after an answer. */
const AWAKE_MS = 60_000;

/**
 * Whether an agent with wake-up phrases answers. It does when the user says its name or one of
 * them, and for a while after each answer. Agents without any always answer.
 */
export class WakeUp {
  readonly #phrases: string[];
  readonly #language: string;
  readonly #clock: Pick<Clock, 'elapsed'>;
  #answeredAt = -Infinity;

  constructor(
    {
      agentName,
      language,
      wakeUpPhrases,
    }: Pick<CallBrief, 'agentName' | 'language' | 'wakeUpPhrases'>,
    clock: Pick<Clock, 'elapsed'>,
  ) {
    this.#clock = clock;
    this.#language = language;
    this.#phrases = wakeUpPhrases
      ? [agentName, ...wakeUpPhrases].map((phrase) => this.#plain(phrase)).filter(Boolean)
      : [];
  }

  wakes(text: string): boolean {
    if (this.#phrases.length === 0) return true;
    if (this.#clock.elapsed() - this.#answeredAt < AWAKE_MS) return true;
    const said = ` ${this.#plain(text)} `;
    return this.#phrases.some((phrase) => said.includes(` ${phrase} `));
  }

  answered(): void {
    this.#answeredAt = this.#clock.elapsed();
  }

  #plain(text: string): string {
    return wordsOf(text, this.#language).join(' ');
  }
}
