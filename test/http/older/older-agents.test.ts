import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildApp, NORA, type BuiltApp } from '../../support/api/build-app.ts';
import { newAgent, newApi } from '../../support/api/resources.ts';
import { FIRST_AVATAR } from '../../support/cast.ts';

let service: BuiltApp;
beforeAll(async () => {
  service = await buildApp({ slots: 0 });
});
afterAll(() => service.close());

const older = (payload: object) => service.call('POST', '/v1/agent', { payload });

describe('older agents', () => {
  test('are created from avatar and prompt, and named after the avatar', async () => {
    const created = await older({ avatar_id: FIRST_AVATAR.alias, system_prompt: 'Be kind.' });

    expect(created.statusCode).toBe(201);
    expect(created.json()).toMatchObject({
      id: expect.any(String),
      name: FIRST_AVATAR.name,
      avatar_id: NORA,
      system_prompt: 'Be kind.',
      language: 'en',
      greeting: null,
      max_session_length_minutes: 30,
      capabilities: [],
    });
  });

  test('have capabilities as strings, however they were created', async () => {
    const agentReply = await older({
      avatar_id: NORA,
      system_prompt: 'x',
      capabilities: ['webcam_vision'],
    });
    const id = await newAgent(service, {
      capabilities: [{ type: 'webcam_vision' }, { type: 'wakeup_mode', triggers: ['hey agent'] }],
    });

    const retrievedReply = await service.call('GET', `/v1/agent/${id}`);

    expect(agentReply.json().capabilities).toEqual(['webcam_vision']);
    expect(retrievedReply.json().capabilities).toEqual(['webcam_vision', 'wakeup_mode']);
  });

  test('accept a temperature as text, as the published example sends it', async () => {
    const api_id = await newApi(service);
    const llm = { type: 'openai_compatible', api_id, model: 'm', temperature: '0.7' };

    const created = await older({ name: 'LLM', avatar_id: NORA, system_prompt: 'x', llm });

    expect(created.statusCode).toBe(201);
    expect(created.json().llm).toEqual({ ...llm, temperature: 0.7 });
  });

  test('are the same agents, listed as a plain array', async () => {
    const { id } = (await older({ avatar_id: NORA, system_prompt: 'x' })).json();

    const listed = (await service.call('GET', '/v1/agent')).json();
    const changed = await service.call('PATCH', `/v1/agent/${id}`, { payload: { name: 'Second' } });
    const retrievedBody = (await service.call('GET', `/v1/agents/${id}`)).json();
    const deleted = await service.call('DELETE', `/v1/agent/${id}`);

    expect(listed[0]).toMatchObject({ id, name: FIRST_AVATAR.name });
    expect(changed.statusCode).toBe(204);
    expect(retrievedBody.name).toBe('Second');
    expect(deleted.statusCode).toBe(204);
    expect((await service.call('GET', `/v1/agents/${id}`)).statusCode).toBe(404);
  });

  test('are listed without paging', async () => {
    const ids = [];
    for (let index = 0; index < 60; index += 1) ids.push(await newAgent(service));

    const listed = (await service.call('GET', '/v1/agent')).json<{ id: string }[]>();

    expect(listed.slice(0, 60).map(({ id }) => id)).toEqual(ids.toReversed());
  });

  test('link to their successor', async () => {
    const { headers } = await service.call('DELETE', '/v1/agent/nobody');

    expect(headers.deprecation).toMatch(/^@\d+$/);
    expect(headers.link).toMatch(/\/v1\/agents>; rel="successor-version"$/);
  });
});
