import type { Clock } from '#shared/clock.ts';
import type { Log } from '#shared/log.ts';
import type { Fleet, FleetEvents } from '../fleet.ts';
import type { Homes } from '../../cluster/homes.ts';
import type { Nodes } from '../../cluster/nodes.ts';
import type { Policy } from '../placement.ts';
import { RedisFleet } from './redis-fleet.ts';
import { RedisHomes } from '../../cluster/redis-homes.ts';
import { RedisLink } from '../../cluster/redis-link.ts';
import { RedisNodes } from '../../cluster/redis-nodes.ts';

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
  nodes: Nodes;
  homes: Homes;
  /** Of whoever may ask only so often. */
  counts: Pick<RedisLink, 'count' | 'uncount'>;
  close(): Promise<void>;
};

export async function openSharedFleet({
  url,
  clock,
  log,
  ...options
}: SharedFleetOptions): Promise<SharedFleet> {
  const redis = await RedisLink.open(url, log);
  const nodes = await RedisNodes.open({ redis, clock, log });
  const homes = new RedisHomes({ redis, nodes, log });
  const fleet = await RedisFleet.open({ redis, nodes, clock, log, ...options });
  homes.onElsewhere((sessionId) => fleet.disown(sessionId));
  return {
    fleet,
    nodes,
    homes,
    counts: redis,
    async close() {
      homes.close();
      await nodes.close();
      redis.close();
    },
  };
}
