/*
 * Two control planes with one overflow: neither creates a session twice, and one survives the
 * other.
 */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { buildApp, NORA, roomToken, API_KEY, type BuiltApp } from '../support/api/build-app.ts';
import { TROUPE_ADMIN_PASSWORD } from '../support/api/admin.ts';
import {
  startTwoControlPlanes,
  type TwoControlPlanes,
} from '../support/fleet/two-control-planes.ts';
import { newOperatorKey } from '../support/api/operator-key.ts';
import { until } from '../support/until.ts';

const OUTSIDE_KEY = 'key-of-the-outside-service';
/** Its claims on sessions expire, and its own sessions are taken over. */
const TAKEN_OVER_MS = 60_000;

let outside: BuiltApp;
let pair: TwoControlPlanes;
let operator: string;
beforeEach(async () => {
  outside = await buildApp({ agentSlots: 0, env: { TROUPE_API_KEY: OUTSIDE_KEY } });
  pair = await startTwoControlPlanes({ TROUPE_ADMIN_PASSWORD, SLOT_WAIT_MS: '0' });
  operator = await newOperatorKey(pair.planes[0].url, TROUPE_ADMIN_PASSWORD);
  await call(1, 'PUT', '/v1/fleet/overflow', operator, {
    url: outside.url,
    api_key: OUTSIDE_KEY,
    price_per_minute: 1,
    ceiling: 100,
    period: 'month',
    max_sessions: 2,
    max_minutes: 10,
  });
});
afterEach(async () => {
  await pair?.close();
  await outside?.close();
});

async function call(at: 0 | 1, method: string, path: string, key: string, body?: object) {
  const answer = await fetch(new URL(path, pair.planes[at].url), {
    method,
    headers: { 'x-api-key': key, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  return (await answer.json()) as Record<string, unknown> & { id: string };
}

test('create one session together, and the other one goes on when its owner is killed', async () => {
  const worker = outside.workers[0]!;
  // Each notices within seconds that the other has set it.
  await until(async () => {
    const { data } = await call(0, 'GET', '/v1/fleet/overflow', operator);
    return (data as unknown[]).length === 1;
  });
  const exp = Math.floor(Date.now() / 1_000) + 3_600;
  const body = {
    avatar_id: NORA,
    url: 'wss://media.their.example',
    token: await roomToken({ roomJoin: true, room: 'their-room' }, { exp }),
  };

  const [firstSession, secondSession] = await Promise.all([
    call(0, 'POST', '/v1/sessions', API_KEY, body),
    call(1, 'POST', '/v1/sessions', API_KEY, body),
  ]);
  const { placement } = await worker.next('assign');
  await worker.started(placement);
  const find = (at: 0 | 1) => call(at, 'GET', `/v1/sessions/${firstSession.id}`, API_KEY);
  await until(async () => ((await find(1))['status'] as { type: string }).type === 'ongoing');
  await pair.planes[0].kill();
  await worker.ended(placement, 'agent_left');
  await until(async () => (await find(1))['end_reason'] === 'agent_left', TAKEN_OVER_MS);

  expect(secondSession.id).toBe(firstSession.id);
  expect(worker.messages.filter(({ type }) => type === 'assign')).toHaveLength(1);
  const { data } = await call(1, 'GET', '/v1/fleet/overflow/sessions', operator);
  expect((data as { outside_id: string | null }[]).filter((each) => each.outside_id)).toHaveLength(
    1,
  );
});
