/* Forms that make a parser work far more than their bytes are worth. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { attackedControl, ATTACKER_KEY } from '../../support/attacks/attacked-control.ts';
import { healthDuring, limitMs } from '../../support/attacks/health-watch.ts';

let control: Awaited<ReturnType<typeof attackedControl>>;
beforeAll(async () => void (control = await attackedControl()));
afterAll(() => control.close());

const MIB = 1024 ** 2;

const repeated = (text: string, bytes: number) => text.repeat(Math.floor(bytes / text.length));
const part = (boundary: string) =>
  `--${boundary}\r\nContent-Disposition: form-data; name="a"\r\n\r\n\r\n`;

const FORMS = [
  {
    what: 'tiny parts behind a decoy boundary',
    type: 'multipart/form-data; boundary=decoy; boundary=real',
    payload: repeated(part('real'), 20 * MIB),
  },
  {
    what: 'tiny parts behind a decoy parameter',
    type: 'multipart/form-data; xboundary=decoy; boundary=real',
    payload: repeated(part('real'), 20 * MIB),
  },
  {
    what: 'tiny parts',
    type: 'multipart/form-data; boundary=real',
    payload: repeated(part('real'), 20 * MIB),
  },
  {
    what: 'a part of headers alone',
    type: 'multipart/form-data; boundary=real',
    payload: `--real\r\n${repeated('a: b\r\n', 20 * MIB)}`,
  },
  {
    what: 'beginnings of the boundary',
    type: `multipart/form-data; boundary=${'x'.repeat(70)}`,
    payload: `--${'x'.repeat(70)}\r\nContent-Disposition: form-data; name="a"\r\n\r\n${repeated(`\r\n--${'x'.repeat(69)}`, 20 * MIB)}`,
  },
];

const DOORS = [
  { door: 'avatars', path: '/v1/avatars' },
  { door: 'hedra', path: '/compat/hedra/' },
];

describe.each(DOORS)('at $door', ({ path }) => {
  test.each(FORMS)(
    '$what leave the event loop free, and are refused',
    async ({ type, payload }) => {
      const { idle, attacked, result } = await healthDuring(control, () =>
        fetch(`${control.url}${path}`, {
          method: 'POST',
          headers: { 'x-api-key': ATTACKER_KEY, 'content-type': type },
          body: payload,
        }),
      );

      expect(result.status).toBe(422);
      expect(attacked.busyMs).toBeLessThan(limitMs(idle));
    },
  );
});

test('a vendor form of many pairs is refused', async () => {
  const reply = await fetch(`${control.url}/compat/hedra/`, {
    method: 'POST',
    headers: {
      'x-api-key': ATTACKER_KEY,
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: repeated('a&', 60_000),
  });

  expect(reply.status).toBe(422);
  expect(await reply.text()).toContain('at most 1000 fields');
});
