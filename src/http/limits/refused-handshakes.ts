import { clientAddress } from '#shared/network/client-address.ts';
import type { Clock } from '#shared/clock.ts';
import type { Networks } from '#shared/network/networks.ts';
import type { RefusedHandshakes } from '#shared/network/refused-handshakes.ts';
import { countedAs, WindowCounts } from './rate-limit.ts';

/** For websockets, whose handshakes do not pass through fastify. */
export function refusedHandshakes(clock: Clock, proxies: Networks | null): RefusedHandshakes {
  const counts = new WindowCounts(clock);
  return {
    addressOf: (request) => countedAs(clientAddress(request, proxies)),
    add: (address) => counts.add(address),
  };
}
