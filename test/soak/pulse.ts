/* One cheap request a second: whether the API answers at all times, and how soon. */
import { systemClock } from '#shared/clock.ts';
import { API_KEY } from '../chaos/names.ts';
import { allOf, atMost, type Outcome } from './outcomes.ts';

const EVERY_MS = 1_000;
const ANSWER_MS = 10_000;
const SLOWEST_MS = 5_000;

export class Pulse {
  readonly #url: string;
  readonly #stop: () => void;
  readonly #asking = new Set<Promise<void>>();
  #asked = 0;
  #answered = 0;
  #slowestMs = 0;

  constructor(url: string) {
    this.#url = `${url}/v1/auth/verify`;
    this.#stop = systemClock.every(EVERY_MS, () => {
      const asking = this.#ask().finally(() => this.#asking.delete(asking));
      this.#asking.add(asking);
    });
  }

  async stop(): Promise<void> {
    this.#stop();
    await Promise.all(this.#asking);
  }

  outcomes(): Outcome[] {
    return [
      allOf('requests answered, one a second', this.#answered, this.#asked),
      atMost('slowest of them', Math.round(this.#slowestMs), SLOWEST_MS, ' ms'),
    ];
  }

  async #ask(): Promise<void> {
    this.#asked += 1;
    const fromMs = performance.now();
    const signal = AbortSignal.timeout(ANSWER_MS);
    const headers = { 'x-api-key': API_KEY };
    const answer = await fetch(this.#url, { headers, signal }).catch(() => null);
    if (answer?.status === 204) this.#answered += 1;
    this.#slowestMs = Math.max(this.#slowestMs, performance.now() - fromMs);
  }
}
