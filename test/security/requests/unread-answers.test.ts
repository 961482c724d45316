/* Clients that ask for much and read nothing. */
import type { Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { attackedControl, ATTACKER_KEY } from '../../support/attacks/attacked-control.ts';
import { healthDuring, limitMs } from '../../support/attacks/health-watch.ts';
import { sendUnread } from '../../support/attacks/hostile-requests.ts';

let control: Awaited<ReturnType<typeof attackedControl>>;
let sockets: Socket[];
beforeAll(async () => {
  control = await attackedControl();
});
afterAll(() => control.close());
beforeEach(() => void (sockets = []));
afterEach(() => {
  for (const socket of sockets) socket.destroy();
});

/** Resident memory that the attack may add. */
const MAY_ADD_MB = 150;

const ask = async (text: string) => void sockets.push(await sendUnread(control.url, text));

const get = (path: string) =>
  `GET ${path} HTTP/1.1\r\nhost: x\r\nx-api-key: ${ATTACKER_KEY}\r\n\r\n`;

/** The service has answered what it will. */
const allAnswers = () =>
  Promise.all(Array.from({ length: 5 }, () => fetch(`${control.url}/v1/avatars`)));

describe('3,000 requests on one connection', () => {
  test.each([
    '/openapi.json',
    '/docs/api/console/json',
    '/docs/api/console/yaml',
    '/docs/api/console/static/swagger-ui-bundle.js',
    '/console',
    '/v1/avatars',
  ])('for %s are not worked on while nobody reads', async (path) => {
    // Documents are made once.
    await fetch(`${control.url}${path}`).then((reply) => reply.arrayBuffer());
    const { idle, attacked } = await healthDuring(control, async () => {
      await ask(get(path).repeat(3_000));
      await allAnswers();
    });

    expect(attacked.busyMs).toBeLessThan(limitMs(idle));
    expect(attacked.peakMb - idle.peakMb).toBeLessThan(MAY_ADD_MB);
  });
});

test('200 readers of the API document that read nothing cost one document', async () => {
  const { idle, attacked } = await healthDuring(control, async () => {
    await Promise.all(Array.from({ length: 200 }, () => ask(get('/openapi.json').repeat(5))));
    await allAnswers();
  });

  expect(attacked.busyMs).toBeLessThan(limitMs(idle));
  expect(attacked.peakMb - idle.peakMb).toBeLessThan(MAY_ADD_MB);
});
