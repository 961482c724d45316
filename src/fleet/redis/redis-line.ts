/*
 * The line of several control planes, in Redis. It lets all requests pass while Redis is
 * unreachable: the reservation of slots refuses them then.
 */
import { readFileSync } from 'node:fs';
import type { Log } from '#shared/log.ts';
import { newSecret } from '#shared/ids.ts';
import type { RedisConnection, RedisScript } from '../../cluster/redis-connection.ts';
import { kindOf } from '../placement.ts';
import {
  accountShare,
  AWAY_AFTER_MS,
  FORGOTTEN_AFTER_MS,
  MAX_PLACES_PER_VISITOR,
  type LinePlace,
  type LineRequest,
  type WaitingLine,
} from '../waiting-line.ts';

const lua = readFileSync(new URL('redis-line.lua', import.meta.url), 'utf8');

type RedisLineOptions = {
  redis: RedisConnection;
  prefix: string;
  maxPlaces: number;
  /** Milliseconds since the epoch. */
  now: () => number;
  log: Pick<Log, 'warn'>;
};

export class RedisLine implements WaitingLine {
  readonly #options: RedisLineOptions;
  readonly #script: RedisScript;

  constructor(options: RedisLineOptions) {
    this.#options = options;
    this.#script = options.redis.script('line', lua);
  }

  async isNext({ account, ticket, needs }: LineRequest): Promise<boolean> {
    const kinds = JSON.stringify(needs.map(kindOf));
    const isNext = await this.#unless(true, this.#run('is_next', account, ticket ?? '', kinds));
    return isNext !== 0;
  }

  async join({ account, ticket, visitor, needs }: LineRequest): Promise<LinePlace | null> {
    if (ticket === undefined) return null;
    const { maxPlaces } = this.#options;
    const pool = needs[0]?.pool ?? '';
    const place = { account, pool, kinds: needs.map(kindOf), ...(visitor !== null && { visitor }) };
    const limits = [maxPlaces, accountShare(maxPlaces), MAX_PLACES_PER_VISITOR];
    const texts = [account, ticket ?? '', JSON.stringify(place), newSecret()];
    const joined = await this.#unless(
      null,
      this.#run('join', ...texts, FORGOTTEN_AFTER_MS, ...limits),
    );
    if (joined === null) return null;
    const [ownTicket, callersAhead] = joined as [string, number];
    return { ticket: ownTicket, position: callersAhead + 1 };
  }

  async leave(account: string, ticket: string): Promise<void> {
    await this.#unless(0, this.#run('leave', account, ticket));
  }

  /** Places whose callers still ask. */
  async waitingIn(pools: readonly string[]): Promise<Map<string, number>> {
    const counts = (await this.#run('waiting', ...pools)) as number[];
    return new Map(pools.map((pool, i) => [pool, counts[i] ?? 0]));
  }

  async #unless(without: unknown, answer: Promise<unknown>): Promise<unknown> {
    return answer.catch((err: unknown) => {
      this.#options.log.warn({ err }, 'fleet: the line is unknown');
      return without;
    });
  }

  #run(command: string, ...values: (string | number)[]): Promise<unknown> {
    const { prefix, now } = this.#options;
    return this.#script(prefix, command, now(), AWAY_AFTER_MS, ...values);
  }
}
