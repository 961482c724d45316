import { once } from 'node:events';
import { connect } from 'node:net';
import { fastify } from 'fastify';
import { expect, test } from 'vitest';
import { addressOf } from '../../../src/http/limits/rate-limit.ts';
import { keepClientAddress } from '../../../src/http/plumbing/client-address.ts';

test('the address of a client that has left is known', async () => {
  const app = fastify();
  keepClientAddress(app);
  const address = new Promise<string>((resolve, reject) => {
    app.get('/', async (request, reply) => {
      const closed = once(reply.raw, 'close');
      client.destroy();
      await closed;
      try {
        resolve(addressOf(request));
      } catch (error) {
        reject(error);
      }
    });
  });
  const { port } = new URL(await app.listen({ host: '127.0.0.1', port: 0 }));
  const client = connect(Number(port), '127.0.0.1');
  client.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');

  expect(await address).toBe('127.0.0.1');
  await app.close();
});
