/* Frames that workers show late or leave out, as the service sees them. */
import { systemClock } from '#shared/clock.ts';
import { atMost, type Outcome } from './outcomes.ts';

const EVERY_MS = 2_000;
/** Above it the service gives a worker no new sessions (LATE_FRAMES_LIMIT). */
const MOST_LATE_PERCENT = 5;

type Worker = { kind: string; taken: number; late_share: number; quality: string };

export class LateFrames {
  readonly #url: string;
  readonly #key: string;
  readonly #stop: () => void;
  readonly #shares: number[] = [];
  readonly #qualities = new Set<string>();

  /** `key`: of an operator. */
  constructor(url: string, key: string) {
    this.#url = `${url}/v1/fleet/workers`;
    this.#key = key;
    this.#stop = systemClock.every(EVERY_MS, () => void this.#ask());
  }

  stop(): void {
    this.#stop();
  }

  outcomes(): Outcome[] {
    const shares = this.#shares;
    const mean = shares.reduce((sum, share) => sum + share, 0) / shares.length;
    const row = atMost('late frames of workers with sessions', 100 * mean, MOST_LATE_PERCENT, ' %');
    const worst = `at worst ${(100 * Math.max(0, ...shares)).toFixed(0)} % in one report`;
    const qualities = `qualities: ${[...this.#qualities].join(', ')}`;
    return [{ ...row, note: `${worst}; ${qualities}` }];
  }

  /** An answer that does not come is a matter of the pulse. */
  async #ask(): Promise<void> {
    const headers = { 'x-api-key': this.#key };
    const signal = AbortSignal.timeout(EVERY_MS);
    const answer = await fetch(this.#url, { headers, signal }).catch(() => null);
    const body = answer?.ok ? await answer.json().catch(() => null) : null;
    for (const worker of (body as { data: Worker[] } | null)?.data ?? []) {
      if (worker.kind !== 'avatar' || worker.taken === 0) continue;
      this.#shares.push(worker.late_share);
      this.#qualities.add(worker.quality);
    }
  }
}
