import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TROUPE_ADMIN_PASSWORD, adminCall, makeAccount } from '../../support/api/admin.ts';
import { auditLogOf } from '../../support/api/audit-log.ts';
import { API_KEY, buildApp, NORA, type BuiltApp } from '../../support/api/build-app.ts';
import { newAgent, newApi } from '../../support/api/resources.ts';

const FIRST_ACCOUNT = '00000000-0000-4000-8000-000000000001';

let service: BuiltApp;
let operator: Awaited<ReturnType<typeof makeAccount>>;
let log: ReturnType<typeof auditLogOf>;
beforeAll(async () => {
  service = await buildApp({ env: { TROUPE_ADMIN_PASSWORD } });
  operator = await makeAccount(service, 'free', 'operator');
  log = auditLogOf(service, operator.headers);
});
afterAll(() => service.close());

describe('an entry of the audit log', () => {
  test('says who, what, when and from where, with the fields that changed', async () => {
    const agentId = await newAgent(service);
    service.clock.advance(1_000);

    await service.app.server.inject({
      method: 'PATCH',
      url: `/v1/agents/${agentId}`,
      payload: { name: 'Friday', language: 'en' },
      headers: { 'x-api-key': API_KEY },
      remoteAddress: '203.0.113.9',
    });

    expect(await log.newest()).toEqual({
      id: expect.any(String),
      at: expect.stringMatching(/^2026-01-01T12:/),
      account_id: FIRST_ACCOUNT,
      actor: { type: 'key', id: expect.any(String), name: 'TROUPE_API_KEY' },
      address: '203.0.113.9',
      action: 'agent.updated',
      target_id: agentId,
      before: { name: 'Jarvis' },
      after: { name: 'Friday' },
    });
  });

  test('names administrators, and installation-wide changes by no account', async () => {
    const payload = { name: 'Ada' };
    const account = (await adminCall(service)('POST', '/accounts', { payload })).json();
    const byAdmin = await log.newest();
    await service.call('POST', '/v1/fleet/worker-tokens', { headers: operator.headers, payload });

    expect(byAdmin).toMatchObject({
      account_id: account.id,
      actor: { type: 'admin', id: null },
      after: { name: 'Ada', plan: 'free' },
    });
    expect(await log.newest()).toMatchObject({
      account_id: null,
      actor: { type: 'key', id: operator.keyId, name: 'a key' },
    });
  });

  test('records no failed request, repeated request or update without a difference', async () => {
    const agentId = await newAgent(service);
    const agent = { name: 'Jarvis', avatar_id: NORA };
    const key = { 'idempotency-key': 'the-same' };
    await service.call('POST', '/v1/agents', { payload: agent, headers: key });
    const newestBefore = await log.newest();

    await service.call('POST', '/v1/agents', { payload: agent, headers: key });
    await service.call('PATCH', `/v1/agents/${agentId}`, { payload: { name: 'Jarvis' } });
    await service.call('PATCH', '/v1/agents/nobody', { payload: { name: 'b' } });
    await service.call('DELETE', '/v1/agents/nobody');
    await service.call('POST', '/v1/agents', { payload: {} });

    expect(await log.newest()).toEqual(newestBefore);
  });

  test.each(['sessions', 'calls'])('says once that one of the %s was ended', async (path) => {
    const agentId = await newAgent(service);
    const payload = path === 'calls' ? { agent_id: agentId } : { avatar_id: NORA };
    const { id } = (await service.call('POST', `/v1/${path}`, { payload })).json();

    const ended = (await service.call('POST', `/v1/${path}/${id}/end`)).json();
    await service.call('POST', `/v1/${path}/${id}/end`);

    const { data } = await log.read(`?target_id=${id}`);
    expect(data).toHaveLength(1);
    expect(data[0]).toMatchObject({
      before: { status: { type: 'to_start' } },
      after: { status: ended.status },
    });
  });

  test('records that a secret is new, without the secret', async () => {
    const apiId = await newApi(service);

    await service.call('PATCH', `/v1/external-apis/${apiId}`, {
      payload: { api_key: 'sk-of-the-owner' },
    });

    expect(await log.newest()).toMatchObject({
      before: { api_key: '[hidden]' },
      after: { api_key: '[new]' },
    });
    expect(JSON.stringify(await log.read('?limit=50'))).not.toContain('sk-');
  });
});
