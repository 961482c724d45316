import { afterEach, beforeEach, expect, test } from 'vitest';
import { buildApp, NORA, type BuiltApp } from '../support/api/build-app.ts';

let service: BuiltApp;
beforeEach(async () => {
  service = await buildApp();
});
afterEach(() => service.close());

const agents = async () => (await service.call('GET', '/v1/agents')).json().data;

test('a new installation begins with an agent that introduces it', async () => {
  expect(await agents()).toEqual([]);

  await service.app.welcome();

  const [agent, ...others] = await agents();
  expect(others).toEqual([]);
  expect(agent).toMatchObject({ name: 'Nora', avatar_id: NORA, is_private: false });
  expect(agent.greeting).toContain('I am Nora');
  expect(agent.system_prompt).toContain('Troupe is a service that gives voice agents a face');
});
