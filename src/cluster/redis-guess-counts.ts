import { readFileSync } from 'node:fs';
import type { Clock } from '#shared/clock.ts';
import { FORGET_MS, FREE_GUESSES, WAITS_MS } from '#shared/guess-waits.ts';
import type { RedisConnection, RedisScript } from './redis-connection.ts';

const lua = readFileSync(new URL('guess-counts.lua', import.meta.url), 'utf8');

type RedisGuessCountsParts = {
  redis: RedisConnection;
  clock: Pick<Clock, 'now'>;
  prefix?: string;
};

/** Guesses that all control planes count. `http/limits/guesses.ts` has the rule. */
export class RedisGuessCounts {
  readonly #script: RedisScript;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #prefix: string;

  constructor({ redis, clock, prefix = '{troupe}:guesses:' }: RedisGuessCountsParts) {
    this.#script = redis.script('guesses', lua);
    this.#clock = clock;
    this.#prefix = prefix;
  }

  /** Milliseconds that the name waits. Counts a wrong guess unless it waits. */
  async settle(name: string, isWrong: boolean): Promise<number> {
    const now = Math.round(this.#clock.now());
    const rule = [FORGET_MS, FREE_GUESSES, WAITS_MS.join(' ')] as const;
    return Number(await this.#run('settle', name, isWrong ? 1 : 0, now, ...rule));
  }

  async mark(name: string, ms: number): Promise<void> {
    await this.#run('mark', name, ms);
  }

  async isMarked(name: string): Promise<boolean> {
    return (await this.#run('is_marked', name)) === 1;
  }

  #run(command: string, ...values: (string | number)[]): Promise<unknown> {
    return this.#script(this.#prefix, command, ...values);
  }
}
