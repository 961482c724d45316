import { once } from 'node:events';
import type { AddressInfo, Server } from 'node:net';

/** Resolves with the port when the server listens on this machine. `port` 0: any free one. */
export async function listen(server: Server, port = 0): Promise<number> {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return portOf(server);
}

export const portOf = (server: Server): number => (server.address() as AddressInfo).port;
