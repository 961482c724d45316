import { Counter, Gauge, type Registry } from 'prom-client';
import type { Relay } from '../../botrooms/relay.ts';
import { BOTROOM_METRICS } from '#protocol/metric-names.ts';

/** Returns the function that refreshes the metrics. Call it before each read of the registry. */
export function countBotrooms(
  registry: Registry,
  relay: Pick<Relay, 'size' | 'traffic'>,
): () => void {
  const registers = [registry];
  const about = <Name extends keyof typeof BOTROOM_METRICS>(name: Name) => ({
    name,
    help: BOTROOM_METRICS[name],
    registers,
  });
  const rooms = new Gauge(about('troupe_botrooms'));
  const bytes = new Counter({ ...about('troupe_botroom_bytes_total'), labelNames: ['direction'] });
  const dropped = new Counter(about('troupe_botroom_pictures_dropped_total'));

  // The relay counts by itself: an event for each record would cost more than the record.
  return () => {
    const { bytesFromClients, bytesToClients, picturesDropped } = relay.traffic;
    rooms.set(relay.size);
    for (const counter of [bytes, dropped]) counter.reset();
    bytes.inc({ direction: 'in' }, bytesFromClients);
    bytes.inc({ direction: 'out' }, bytesToClients);
    dropped.inc(picturesDropped);
  };
}
