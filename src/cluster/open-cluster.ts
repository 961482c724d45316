import type { Clock } from '#shared/clock.ts';
import type { Log } from '#shared/log.ts';
import type { ClusterBus, RequestMap } from './cluster-bus.ts';
import { RedisClusterBus } from './redis-cluster-bus.ts';
import { RedisGuessCounts } from './redis-guess-counts.ts';
import { RedisConnection } from './redis-connection.ts';
import { RedisSessionOwnership } from './redis-session-ownership.ts';
import type { SessionOwnership } from './session-ownership.ts';

export type Cluster<Requests extends RequestMap<Requests>, Notices> = {
  redis: RedisConnection;
  bus: ClusterBus<Requests, Notices>;
  ownership: SessionOwnership;
  guessCounts: RedisGuessCounts;
  close(): Promise<void>;
};

/**
 * Joins the control planes that share the Redis at `url`. Owns the connection; close it after all
 * its users.
 */
export async function openCluster<Requests extends RequestMap<Requests>, Notices>({
  url,
  clock,
  log,
}: {
  url: string;
  clock: Clock;
  log: Log;
}): Promise<Cluster<Requests, Notices>> {
  const redis = await RedisConnection.open(url, log);
  const bus = await RedisClusterBus.open<Requests, Notices>({ redis, clock, log });
  const ownership = new RedisSessionOwnership({ redis, bus, clock, log });
  return {
    redis,
    bus,
    ownership,
    guessCounts: new RedisGuessCounts({ redis, clock }),
    async close() {
      ownership.close();
      await bus.close();
      redis.close();
    },
  };
}
