import type { Clock } from '#shared/clock.ts';
import type { Log } from '#shared/log.ts';
import type { Fleet, FleetEvents } from '../fleet.ts';
import type { SessionOwnership } from '../../cluster/session-ownership.ts';
import type { ClusterBus } from '../../cluster/cluster-bus.ts';
import type { Policy } from '../placement.ts';
import { RedisFleet } from './redis-fleet.ts';
import { RedisSessionOwnership } from '../../cluster/redis-session-ownership.ts';
import { RedisConnection } from '../../cluster/redis-connection.ts';
import { RedisClusterBus } from '../../cluster/redis-cluster-bus.ts';

export type SharedFleetOptions = {
  /** Of the Redis that the control planes share. */
  url: string;
  clock: Clock;
  log: Log;
  events: FleetEvents;
  policy: Policy;
  maxWaiting: number;
};

/** What several control planes have in common. Close the fleet first; `close` the rest when nobody reports or asks any more. */
export type SharedFleet = {
  fleet: Fleet;
  bus: ClusterBus;
  ownership: SessionOwnership;
  /** Of whoever may ask only so often. */
  counts: Pick<RedisConnection, 'count' | 'uncount'>;
  close(): Promise<void>;
};

export async function openSharedFleet({
  url,
  clock,
  log,
  ...options
}: SharedFleetOptions): Promise<SharedFleet> {
  const redis = await RedisConnection.open(url, log);
  const bus = await RedisClusterBus.open({ redis, clock, log });
  const ownership = new RedisSessionOwnership({ redis, bus, log });
  const fleet = await RedisFleet.open({ redis, bus, clock, log, ...options });
  ownership.onElsewhere((sessionId) => fleet.disown(sessionId));
  return {
    fleet,
    bus,
    ownership,
    counts: redis,
    async close() {
      ownership.close();
      await bus.close();
      redis.close();
    },
  };
}
