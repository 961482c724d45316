import { normalizeIP } from '@fastify/rate-limit';
import type { Clock } from '#shared/clock.ts';
import type { RefusedHandshakes } from '../../gateway/admission.ts';
import { WindowCounts } from './rate-limit.ts';

/** For the gateway, whose handshakes do not pass through fastify. */
export function refusedHandshakes(clock: Clock): RefusedHandshakes {
  const counts = new WindowCounts(clock);
  return {
    addressOf: ({ socket }) => normalizeIP(socket.remoteAddress ?? ''),
    add: (address) => counts.add(address),
  };
}
