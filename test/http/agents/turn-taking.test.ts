import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildApp, NORA, type BuiltApp } from '../../support/api/build-app.ts';

let service: BuiltApp;
beforeAll(async () => {
  service = await buildApp({ slots: 0 });
});
afterAll(() => service.close());

const call = async (method: 'POST' | 'PATCH' | 'GET', path: string, payload?: object) =>
  service.call(method, path, payload && { payload });

test('agents take turns as they are told, and else by default', async () => {
  const made = { name: 'Jarvis', avatar_id: NORA, turn_taking: { patience: 'high' } };
  const { id } = (await call('POST', '/v1/agents', made)).json<{ id: string }>();
  const turnTaking = async () => (await call('GET', `/v1/agents/${id}`)).json().turn_taking;

  expect(await turnTaking()).toEqual({ patience: 'high', interruptibility: 'medium' });
  await call('PATCH', `/v1/agents/${id}`, { turn_taking: { interruptibility: 'low' } });
  expect(await turnTaking()).toEqual({ patience: 'medium', interruptibility: 'low' });
  await call('PATCH', `/v1/agents/${id}`, { turn_taking: null });
  expect(await turnTaking()).toEqual({ patience: 'medium', interruptibility: 'medium' });
});

test('an unknown way of taking turns is refused', async () => {
  const made = { name: 'Jarvis', avatar_id: NORA, turn_taking: { patience: 'endless' } };

  const refused = await call('POST', '/v1/agents', made);

  expect(refused.statusCode).toBe(422);
  expect(refused.json().detail[0].loc).toEqual(['body', 'turn_taking', 'patience']);
});
