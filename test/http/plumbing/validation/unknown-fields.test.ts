import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { adminCall, makeAccount, TROUPE_ADMIN_PASSWORD } from '../../../support/api/admin.ts';
import { buildApp, NORA, roomToken, type BuiltApp } from '../../../support/api/build-app.ts';
import { formOf } from '../../../support/api/form.ts';
import { sound } from '../../../support/api/photo-avatars.ts';
import { newAgent, newApi } from '../../../support/api/resources.ts';

let service: BuiltApp;
let agentId: string;
let apiId: string;
let webhookId: string;
let accountId: string;

const webhook = { url: 'http://127.0.0.1:9/hook', events: ['message'] };

beforeAll(async () => {
  service = await buildApp({ env: { TROUPE_ADMIN_PASSWORD } });
  agentId = await newAgent(service);
  apiId = await newApi(service);
  webhookId = (await service.call('POST', '/v1/webhooks', { payload: webhook })).json().id;
  accountId = (await makeAccount(service, 'free')).id;
});
afterAll(() => service.close());

type Problem = { type: string; loc: (string | number)[]; msg: string; input: unknown };

const refusal = (loc: (string | number)[], nearest: string): { detail: Problem[] } => ({
  detail: [
    {
      type: 'extra_forbidden',
      loc: ['body', ...loc],
      msg: `Unknown field. The nearest known field is '${nearest}'.`,
      input: null,
    },
  ],
});

describe('an unknown field is refused by its name, with the nearest known one', () => {
  const llm = { type: 'openai_compatible', api_id: 'x', model: 'm', temperature: 1 };

  test.each([
    {
      in: 'a new agent',
      more: { systemPrompt: 'Be kind.' },
      loc: ['systemPrompt'],
      is: 'system_prompt',
    },
    {
      in: 'a model of an agent',
      more: { llm: { ...llm, temprature: 1 } },
      loc: ['llm', 'temprature'],
      is: 'temperature',
    },
    {
      in: 'a capability of an agent',
      more: { capabilities: [{ type: 'wakeup_mode', triggers: ['hey'], trigger: 'ho' }] },
      loc: ['capabilities', 0, 'trigger'],
      is: 'triggers',
    },
  ])('$in', async ({ more: fields, loc, is }) => {
    const payload = { name: 'Guide', avatar_id: NORA, ...fields };

    const reply = await service.call('POST', '/v1/agents', { payload });

    expect(reply.statusCode).toBe(422);
    expect(reply.json()).toMatchObject(refusal(loc, is));
  });

  test.each([
    {
      in: 'changes of an agent',
      path: () => `/v1/agents/${agentId}`,
      field: 'avatarId',
      is: 'avatar_id',
    },
    {
      in: 'changes of an external API',
      path: () => `/v1/external-apis/${apiId}`,
      field: 'uri',
      is: 'url',
    },
    {
      in: 'changes of a webhook',
      path: () => `/v1/webhooks/${webhookId}`,
      field: 'state',
      is: 'status',
    },
  ])('$in', async ({ path, field, is }) => {
    const reply = await service.call('PATCH', path(), { payload: { [field]: 'x' } });

    expect(reply.statusCode).toBe(422);
    expect(reply.json()).toMatchObject(refusal([field], is));
  });

  test.each([
    {
      in: 'a new webhook',
      path: () => '/v1/webhooks',
      payload: { ...webhook, desciption: 'x' },
      at: 'desciption',
      is: 'description',
    },
    {
      in: 'a check of an external API',
      path: () => `/v1/external-apis/${apiId}/check`,
      payload: { Model: 'm' },
      at: 'Model',
      is: 'model',
    },
  ])('$in', async ({ path, payload, at, is }) => {
    const reply = await service.call('POST', path(), { payload });

    expect(reply.json()).toMatchObject(refusal([at], is));
  });

  test('a new avatar', async () => {
    const form = await formOf({ ...sound(), backdrop: 'blur' });

    const reply = await service.call('POST', '/v1/avatars', form);

    expect(reply.statusCode).toBe(422);
    expect(reply.json()).toMatchObject(refusal(['backdrop'], 'background'));
  });

  test.each([
    {
      in: 'a new account',
      method: 'POST',
      path: () => '/accounts',
      payload: { name: 'a', plans: 'free' },
      at: 'plans',
      is: 'plan',
    },
    {
      in: 'changes of an account',
      method: 'PATCH',
      path: () => `/accounts/${accountId}`,
      payload: { pools: 'gpu' },
      at: 'pools',
      is: 'pool',
    },
    {
      in: 'a new key',
      method: 'POST',
      path: () => `/accounts/${accountId}/keys`,
      payload: { name: 'a', skope: 'all' },
      at: 'skope',
      is: 'scope',
    },
  ] as const)('$in', async ({ method, path, payload, at, is }) => {
    const reply = await adminCall(service)(method, path(), { payload });

    expect(reply.statusCode).toBe(422);
    expect(reply.json()).toMatchObject(refusal([at], is));
  });

  test('a misspelt secret, which is not repeated', async () => {
    const payload = {
      type: 'openai_compatible_llm',
      name: 'a',
      url: 'https://llm.example',
      apiKey: 'sk-secret',
    };

    const reply = await service.call('POST', '/v1/external-apis', { payload });

    expect(reply.json<{ detail: Problem[] }>().detail.map(({ loc }) => loc)).toEqual(
      expect.arrayContaining([
        ['body', 'apiKey'],
        ['body', 'api_key'],
      ]),
    );
    expect(reply.body).not.toContain('sk-secret');
  });
});

describe('published clients may send more fields', () => {
  test('in sessions', async () => {
    const payload = {
      avatar_id: NORA,
      url: 'wss://media.example',
      token: await roomToken(),
      room_name: 'x',
    };

    const reply = await service.call('POST', '/v1/sessions', { payload });

    expect(reply.statusCode).toBe(201);
  });

  test('in calls', async () => {
    const payload = { agent_id: agentId, version: 2 };

    const reply = await service.call('POST', '/v1/calls', { payload });

    expect(reply.statusCode).toBe(201);
  });

  test('under deprecated paths, which work as before', async () => {
    const agent = { avatar_id: NORA, system_prompt: 'x', version: 2 };
    const api = {
      type: 'openai_compatible_llm',
      name: 'a',
      url: 'https://llm.example',
      api_key: 'k',
      version: 2,
    };

    const creationReply = await service.call('POST', '/v1/agent', { payload: agent });
    const changed = await service.call('PATCH', `/v1/agent/${agentId}`, {
      payload: { version: 2 },
    });
    const stored = await service.call('POST', '/v1/external-api', { payload: api });
    const updated = await service.call('PATCH', `/v1/external-api/${apiId}`, {
      payload: { version: 2 },
    });

    const statuses = [creationReply, changed, stored, updated].map(({ statusCode }) => statusCode);
    expect(statuses).toEqual([201, 204, 201, 204]);
  });
});
