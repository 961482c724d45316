/* JSON whose values cost far more than its bytes: unknown fields, nested or long lists. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { attackedControl, ATTACKER_KEY } from '../../support/attacks/attacked-control.ts';
import { healthDuring, limitMs } from '../../support/attacks/health-watch.ts';

let control: Awaited<ReturnType<typeof attackedControl>>;
beforeAll(async () => void (control = await attackedControl()));
afterAll(() => control.close());

const KIB = 1024;

/** As long as `bytes` allow. */
const list = (item: string, bytes: number) =>
  Array.from({ length: Math.floor(bytes / (item.length + 1)) }, () => item).join();
const fields = (bytes: number) =>
  `{${Array.from({ length: Math.floor(bytes / 12) }, (_, index) => `"f${index}":1`).join()}}`;
const nested = (bytes: number) => `${'['.repeat(bytes / 2)}${']'.repeat(bytes / 2)}`;

const post = (path: string, body: string) =>
  fetch(`${control.url}${path}`, {
    method: 'POST',
    headers: { 'x-api-key': ATTACKER_KEY, 'content-type': 'application/json' },
    body,
  });

const SHAPES = [
  { what: 'unknown fields', bodyOf: fields },
  { what: 'nested lists', bodyOf: nested },
  { what: 'a long list', bodyOf: (bytes: number) => `[${list('0', bytes)}]` },
  { what: 'a long list of objects', bodyOf: (bytes: number) => `[${list('{}', bytes)}]` },
  { what: 'lists in a known field', bodyOf: (bytes: number) => `{"name":[${list('[]', bytes)}]}` },
];

const ROUTES = [
  { path: '/v1/knowledge-files', bytes: 8_000 * KIB, count: 1 },
  { path: '/v1/agents', bytes: 250 * KIB, count: 30 },
  { path: '/compat/hedra/', bytes: 20_000 * KIB, count: 1 },
];

describe.each(ROUTES)('$count of $bytes bytes at $path', ({ path, bytes, count }) => {
  test.each(SHAPES)('$what leave the event loop free', async ({ bodyOf }) => {
    const body = bodyOf(bytes);

    const { idle, attacked, result } = await healthDuring(control, () =>
      Promise.all(Array.from({ length: count }, () => post(path, body))),
    );

    expect(result.map(({ status }) => status)).toEqual(Array.from({ length: count }, () => 422));
    expect(attacked.busyMs).toBeLessThan(limitMs(idle));
  });
});

test('the problems of an answer are few', async () => {
  const reply = await post('/v1/agents', fields(40 * KIB));

  const text = await reply.text();
  expect(reply.status).toBe(422);
  expect(JSON.parse(text).detail.length).toBeLessThanOrEqual(50);
  expect(text.length).toBeLessThan(20_000);
});
