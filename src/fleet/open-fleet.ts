import type { Clock } from '#shared/clock.ts';
import type { Log } from '#shared/log.ts';
import { TypedEvents } from '#shared/typed-events.ts';
import type { Cluster } from '../cluster/open-cluster.ts';
import type { Fleet, FleetEvents } from './fleet.ts';
import { LocalFleet } from './local/local-fleet.ts';
import type { PlacementRules } from './placement.ts';
import type { FleetNotices, FleetRequests } from './redis/messages.ts';
import { RedisFleet } from './redis/redis-fleet.ts';

type FleetOptions = {
  /** Null: this control plane is the only one. */
  cluster: Cluster<FleetRequests, FleetNotices> | null;
  rules: PlacementRules;
  clock: Clock;
  log: Log;
};

/** Closed by the caller. */
type OpenedFleet = { fleet: Fleet; events: FleetEvents };

export async function openFleet({ cluster, ...parts }: FleetOptions): Promise<OpenedFleet> {
  const events: FleetEvents = new TypedEvents((err) => parts.log.error({ err }, 'listener failed'));
  const options = { ...parts, events };
  if (!cluster) return { fleet: new LocalFleet(options), events };
  const fleet = await RedisFleet.open({ ...options, redis: cluster.redis, bus: cluster.bus });
  cluster.ownership.onTakenOver((sessionId) => fleet.disown(sessionId));
  return { fleet, events };
}
