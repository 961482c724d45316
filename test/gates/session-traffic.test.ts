import { expect, test } from 'vitest';
import { sessionTraffic } from './measures/session-traffic.ts';

test('a session takes exactly the messages, statements and webhooks of the baseline', async () => {
  const traffic = `${JSON.stringify(await sessionTraffic(), null, 2)}\n`;

  await expect(traffic).toMatchFileSnapshot('baselines/session-traffic.json');
});
