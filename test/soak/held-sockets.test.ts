import { createServer, type Server } from 'node:http';
import { createServer as createNetServer, type Server as NetServer } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { HeldSockets } from './held-sockets.ts';
import { listen } from '../support/loopback.ts';
import { until } from '../support/until.ts';

let close: () => void;
afterEach(() => close());

async function listening(server: Server | NetServer): Promise<string> {
  close = () => server.close();
  return `http://127.0.0.1:${await listen(server)}`;
}

describe('held sockets', () => {
  test.each(['silent', 'slow', 'kept alive'] as const)('count when closed: %s', async (how) => {
    const limits = { headersTimeout: 100, requestTimeout: 100, connectionsCheckingInterval: 20 };
    const server = createServer({ ...limits, keepAliveTimeout: 100 }, (_request, response) =>
      response.end('ok'),
    );
    const sockets = await HeldSockets.open(await listening(server), 60, how);

    await sockets.end(5_000);

    // On a slow machine, the first are replaced before the last are open.
    expect(sockets.count).toBeGreaterThanOrEqual(60);
    expect(sockets.closed).toBe(sockets.count);
    expect(sockets.longestMs).toBeGreaterThan(50);
  });

  test('are replaced until they are to end', async () => {
    const server = createNetServer((socket) => socket.on('error', () => {}).destroy());
    const sockets = await HeldSockets.open(await listening(server), 3, 'silent');

    await until(() => sockets.closed > 9);
    await sockets.end(5_000);

    expect(sockets.closed).toBe(sockets.count);
  });

  test('do not count while a server leaves them open', async () => {
    const server = createNetServer((socket) => socket.on('error', () => {}));
    const sockets = await HeldSockets.open(await listening(server), 3, 'slow');

    await sockets.end(50);

    expect([sockets.closed, sockets.count]).toEqual([0, 3]);
  });
});
