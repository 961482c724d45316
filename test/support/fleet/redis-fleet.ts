import { TypedEvents } from '#shared/typed-events.ts';
import { RedisClusterBus } from '../../../src/cluster/redis-cluster-bus.ts';
import type { RedisConnection } from '../../../src/cluster/redis-connection.ts';
import type { FleetEventMap } from '../../../src/fleet/fleet.ts';
import type { FleetNotices, FleetRequests } from '../../../src/fleet/redis/messages.ts';
import { RedisFleet } from '../../../src/fleet/redis/redis-fleet.ts';
import { TestClock } from '../test-clock.ts';
import { quietLog } from './control-plane.ts';

let prefixes = 0;
/** A new prefix of keys, for fleets that share nothing with others. */
export const newPrefix = () => `{test-${(prefixes += 1)}}:`;

/** The fleet of one control plane. `beats` is the clock of its bus, `clock` that of the fleet. */
export async function openRedisFleet(redis: RedisConnection, prefix: string, self = 'node-1') {
  const [clock, beats] = [new TestClock(), new TestClock()];
  const shared = { redis, prefix, log: quietLog };
  const bus = await RedisClusterBus.open<FleetRequests, FleetNotices>({
    ...shared,
    clock: beats,
    self,
    // Redis tells the age of a heartbeat: on a slow machine no node may count as gone.
    goneMs: 3_600_000,
  });
  const events = new TypedEvents<FleetEventMap>((error) => {
    throw error;
  });
  const fleet = await RedisFleet.open({ ...shared, clock, bus, events });
  return { clock, beats, bus, fleet };
}
