import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { WORKER_TOKEN } from '../support/api/build-app.ts';
import { startControlPlane } from '../support/fleet/control-plane.ts';
import { MALFORMED, sendMalformed } from './malformed.ts';
import { listen } from '../support/loopback.ts';

test('the gateway closes each connection with malformed bytes', async () => {
  const plane = await startControlPlane();
  try {
    const target = { url: plane.url, workerToken: WORKER_TOKEN };
    const ends = await Promise.all(MALFORMED.map((malformed) => sendMalformed(target, malformed)));

    expect(MALFORMED.filter((_, i) => !ends[i])).toEqual([]);
  } finally {
    await plane.close();
  }
});

test('a server that reads on is noticed', async () => {
  const server = createServer((socket) => {
    socket.on('error', () => {}).resume();
    socket.write('HTTP/1.1 101 Switching Protocols\r\n\r\n');
  });
  const url = `http://127.0.0.1:${await listen(server)}`;

  const ends = MALFORMED.map((malformed) =>
    sendMalformed({ url, workerToken: 'any' }, malformed, 50),
  );

  expect(new Set(await Promise.all(ends))).toEqual(new Set([false]));
  server.close();
});
