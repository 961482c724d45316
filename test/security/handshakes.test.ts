import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { GATEWAY_PATH } from '#protocol/worker/gateway-path.ts';
import { startControlPlane, type ControlPlane } from '../support/fleet/control-plane.ts';

let plane: ControlPlane;
beforeEach(async () => {
  plane = await startControlPlane();
});
afterEach(() => plane.close());

/** The answer to a handshake with an invalid token. */
async function handshake(): Promise<{
  status: number | undefined;
  retryAfter: string | undefined;
}> {
  const asking = request(`${plane.url}${GATEWAY_PATH}`, {
    headers: {
      authorization: `Bearer troupe_worker_${'x'.repeat(40)}`,
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': Buffer.alloc(16).toString('base64'),
    },
  }).end();
  const [response] = (await once(asking, 'response')) as [IncomingMessage];
  response.resume();
  return { status: response.statusCode, retryAfter: response.headers['retry-after'] };
}

describe('a flood of handshakes from one address', () => {
  test('is answered 429 after 60 in a minute, and keeps no worker out', async () => {
    const answers = [];
    for (let i = 0; i < 100; i += 1) answers.push(await handshake());

    expect(answers.slice(0, 60).every(({ status }) => status === 401)).toBe(true);
    expect(answers.slice(60).every(({ status }) => status === 429)).toBe(true);
    expect(answers.at(-1)?.retryAfter).toMatch(/^[1-9]\d?$/);
    const { text: token } = await plane.workerTokens.make('rack 7');
    const workers = await Promise.all([plane.worker().join(), plane.worker({ token }).join()]);
    expect(workers.map(({ isConnected }) => isConnected)).toEqual([true, true]);

    plane.clock.advance(60_000);
    expect((await handshake()).status).toBe(401);
  });
});
