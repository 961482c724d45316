import { setTimeout as sleep } from 'node:timers/promises';
import { API_KEY } from './names.ts';

export type SessionBody = {
  id: string;
  status: { type: string; started_at?: string; ended_at?: string };
  end_reason?: string;
};

type Answer<Body> = { status: number; body: Body };

const TRIES = 12;
const PAUSE_MS = 700;

/**
 * Calls the control planes in turn, like a client: retries after a pause without an answer and on
 * 429 or 5xx.
 */
export class Client {
  readonly #targets: () => string[];
  #turn = 0;

  constructor(targets: () => string[]) {
    this.#targets = targets;
  }

  /** Null after giving up. */
  async call<Body>(
    method: string,
    path: string,
    body?: object,
    key = API_KEY,
  ): Promise<Answer<Body> | null> {
    for (let attempt = 0; attempt < TRIES; attempt++) {
      const answer = await this.once<Body>(method, path, body, key);
      if (answer && answer.status < 500 && answer.status !== 429) return answer;
      await sleep(PAUSE_MS);
    }
    return null;
  }

  async once<Body>(
    method: string,
    path: string,
    body?: object,
    key = API_KEY,
  ): Promise<Answer<Body> | null> {
    const targets = this.#targets();
    const target = targets[this.#turn++ % Math.max(1, targets.length)];
    if (target === undefined) return null;
    try {
      const response = await fetch(`${target}${path}`, {
        method,
        headers: { 'x-api-key': key, ...(body && { 'content-type': 'application/json' }) },
        ...(body && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(10_000),
      });
      return { status: response.status, body: (await response.json()) as Body };
    } catch {
      return null;
    }
  }
}
