/* More requests at the same moment than the service can answer soon. */
import { expect, test } from 'vitest';
import { attackedControl, ATTACKER_KEY } from '../../support/attacks/attacked-control.ts';
import { healthDuring, limitMs } from '../../support/attacks/health-watch.ts';
import { Crowd } from '../../support/attacks/hostile-requests.ts';

const REQUEST = `GET /v1/avatars HTTP/1.1\r\nhost: x\r\nx-api-key: ${ATTACKER_KEY}\r\n\r\n`;

test('2,000 clients that ask at the same moment leave time for everything else', async () => {
  const control = await attackedControl();
  const crowd = await Crowd.open(control.url, 2_000, REQUEST);
  try {
    // Compiles what all requests need.
    await crowd.ask();
    const { idle, attacked, result } = await healthDuring(control, () => crowd.ask());

    expect(attacked.busyMs).toBeLessThan(limitMs(idle));
    // A slow machine refuses those that would wait too long.
    expect(new Set([...result, 503])).toEqual(new Set([200, 503]));
  } finally {
    crowd.leave();
    await control.close();
  }
});
