import type { IncomingMessage } from 'node:http';
import type { Networks } from './networks.ts';

type Received = Pick<IncomingMessage, 'headers'> & {
  socket: Pick<IncomingMessage['socket'], 'remoteAddress'>;
};

/**
 * The sender's address: the nearest one that is not a trusted proxy's. Each proxy appends the address
 * that it saw to X-Forwarded-For, so entries are believed from the right, as long as proxies wrote
 * them. For requests that fastify does not see; its `request.ip` follows the same rule.
 */
export function clientAddress({ socket, headers }: Received, proxies: Networks | null): string {
  const forwarded = [headers['x-forwarded-for'] ?? []].flat().join(',').split(',');
  const seen = forwarded.map((entry) => entry.trim()).filter(Boolean);
  let address = socket.remoteAddress ?? '';
  while (proxies?.contains(address)) {
    const before = seen.pop();
    if (before === undefined) break;
    address = before;
  }
  return address;
}
