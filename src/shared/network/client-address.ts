import type { IncomingMessage } from 'node:http';
import type { Networks } from './networks.ts';

type Received = Pick<IncomingMessage, 'headers'> & {
  socket: Pick<IncomingMessage['socket'], 'remoteAddress'>;
};

/**
 * Returns the nearest address that is not a trusted proxy's. Each proxy appends the address of its
 * peer to X-Forwarded-For, so entries count from the right, up to the first that no trusted proxy
 * wrote. Serves requests outside fastify, whose `request.ip` follows the same rule.
 */
export function clientAddress({ socket, headers }: Received, proxies: Networks | null): string {
  const forwarded = [headers['x-forwarded-for'] ?? []].flat().join(',').split(',');
  const entries = forwarded.map((entry) => entry.trim()).filter(Boolean);
  let address = socket.remoteAddress ?? '';
  while (proxies?.contains(address)) {
    const sender = entries.pop();
    if (sender === undefined) break;
    address = sender;
  }
  return address;
}
