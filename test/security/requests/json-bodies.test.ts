/* JSON whose values cost far more than its bytes: unknown fields, nested or long lists. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { attackedControl, ATTACKER_KEY } from '../../support/attacks/attacked-control.ts';
import { healthDuring, limitMs } from '../../support/attacks/health-watch.ts';
import { hostileJson, unknownFields } from '../../support/attacks/hostile-requests.ts';

let control: Awaited<ReturnType<typeof attackedControl>>;
beforeAll(async () => void (control = await attackedControl()));
afterAll(() => control.close());

const KIB = 1024;

const post = (path: string, body: string) =>
  fetch(`${control.url}${path}`, {
    method: 'POST',
    headers: { 'x-api-key': ATTACKER_KEY, 'content-type': 'application/json' },
    body,
  });

const ROUTES = [
  { path: '/v1/knowledge-files', bytes: 8_000 * KIB, count: 1 },
  { path: '/v1/agents', bytes: 250 * KIB, count: 30 },
  { path: '/compat/hedra/', bytes: 20_000 * KIB, count: 1 },
];

describe.each(ROUTES)('$count of $bytes bytes at $path', ({ path, bytes, count }) => {
  test.each(hostileJson)('$what leave the event loop free', async ({ bodyOf }) => {
    const body = bodyOf(bytes);

    const { idle, attacked, result } = await healthDuring(control, () =>
      Promise.all(Array.from({ length: count }, () => post(path, body))),
    );

    expect(result.map(({ status }) => status)).toEqual(Array.from({ length: count }, () => 422));
    expect(attacked.busyMs).toBeLessThan(limitMs(idle));
  });
});

test('the problems of an answer are few', async () => {
  const reply = await post('/v1/agents', unknownFields(40 * KIB));

  const text = await reply.text();
  expect(reply.status).toBe(422);
  expect(JSON.parse(text).detail.length).toBeLessThanOrEqual(50);
  expect(text.length).toBeLessThan(20_000);
});
