import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CLOSE } from '#protocol/worker/close-codes.ts';
import { apiKeys } from '../../src/accounts/keys.ts';
import { accountRecords } from '../../src/records/accounts/accounts.ts';
import { apiKeyRecords } from '../../src/records/accounts/api-keys.ts';
import { hasRedis } from '../support/records/redis.ts';
import { SimulatedWorker } from '../support/simulated-worker.ts';
import { TestClock } from '../support/test-clock.ts';
import {
  startTwoControlPlanes,
  type TwoControlPlanes,
} from '../support/fleet/two-control-planes.ts';

// Needs redis-server on the PATH; test/support/records/redis.ts says so.
describe.skipIf(!hasRedis)('two control planes with one Redis', () => {
  let two: TwoControlPlanes;
  let operator: string;
  beforeAll(async () => {
    two = await startTwoControlPlanes();
    operator = await makeOperator();
  });
  afterAll(() => two?.close());

  async function makeOperator(): Promise<string> {
    const database = two.place.open();
    const clock = new TestClock();
    const accounts = accountRecords(database);
    const keys = apiKeys({ accounts, keys: apiKeyRecords(database), clock });
    const { id: accountId } = await accounts.first(clock.now());
    const { text } = await keys.make('operator', { accountId, scope: 'operator' });
    await database.destroy();
    return text;
  }

  test('close connections with a revoked token on both', async () => {
    const [firstPlane, otherPlane] = two.planes;
    const headers = { 'x-api-key': operator, 'content-type': 'application/json' };
    const tokens = `${firstPlane.url}/v1/fleet/worker-tokens`;
    const response = await fetch(tokens, { method: 'POST', headers, body: '{"name":"rack 7"}' });
    const { id, token } = (await response.json()) as { id: string; token: string };
    const workers = await Promise.all(
      [firstPlane, otherPlane].map(({ url }) => new SimulatedWorker({ url, token }).join()),
    );

    const revoked = await fetch(`${tokens}/${id}`, { method: 'DELETE', headers });

    expect(revoked.status).toBe(204);
    for (const worker of workers) expect(await worker.closed()).toBe(CLOSE.token_revoked.code);
  });
});
