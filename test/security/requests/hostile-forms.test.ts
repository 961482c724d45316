/* Forms that make a parser work far more than their bytes are worth. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { attackedControl, ATTACKER_KEY } from '../../support/attacks/attacked-control.ts';
import { healthDuring, limitMs } from '../../support/attacks/health-watch.ts';
import { hostileForms } from '../../support/attacks/hostile-requests.ts';

let control: Awaited<ReturnType<typeof attackedControl>>;
beforeAll(async () => void (control = await attackedControl()));
afterAll(() => control.close());

const DOORS = [
  { door: 'avatars', path: '/v1/avatars' },
  { door: 'hedra', path: '/compat/hedra/' },
];

describe.each(DOORS)('at $door', ({ path }) => {
  test.each(hostileForms)(
    '$what leave the event loop free, and are refused',
    async ({ type, payload }) => {
      const { idle, attacked, result } = await healthDuring(control, () =>
        fetch(`${control.url}${path}`, {
          method: 'POST',
          headers: { 'x-api-key': ATTACKER_KEY, 'content-type': type },
          body: payload(),
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
    body: 'a&'.repeat(30_000),
  });

  expect(reply.status).toBe(422);
  expect(await reply.text()).toContain('at most 1000 fields');
});
