import { readdirSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TROUPE_ADMIN_PASSWORD, adminCall, makeAccount } from '../../support/api/admin.ts';
import { buildApp, NORA, type BuiltApp } from '../../support/api/build-app.ts';
import { formOf, pictureBytes } from '../../support/api/form.ts';
import { file } from '../../support/api/photo-avatars.ts';
import { newAgent } from '../../support/api/resources.ts';
import { until } from '../../support/until.ts';
import { tablesOf } from '../../support/records/full-rows.ts';

const FIRST_ACCOUNT = '00000000-0000-4000-8000-000000000001';

let service: BuiltApp;
beforeAll(async () => {
  service = await buildApp({ env: { TROUPE_ADMIN_PASSWORD } });
});
afterAll(() => service.close());

const remove = (url: string, headers: Record<string, string> = {}) =>
  service.call('DELETE', url, { headers });
const status = async (url: string) => (await service.call('GET', url)).statusCode;

async function endedSession(payload: object = {}): Promise<string> {
  const opened = await service.call('POST', '/v1/sessions', {
    payload: { avatar_id: NORA, ...payload },
  });
  const { id } = opened.json();
  await service.call('POST', `/v1/sessions/${id}/end`);
  return id;
}

async function newCall(): Promise<{ id: string; sessionId: string }> {
  const payload = { agent_id: await newAgent(service), user_name: 'Zoë Example' };
  const { id } = (await service.call('POST', '/v1/calls', { payload })).json();
  const [session] = (await service.call('GET', '/v1/sessions?limit=1')).json().data;
  return { id, sessionId: session.id };
}

/** All rows of all tables as text. */
async function everything(): Promise<string> {
  const db = service.place.open();
  const rows = [];
  for (const { name } of await tablesOf(db)) {
    rows.push(
      name,
      await db
        .selectFrom(name as never)
        .selectAll()
        .execute(),
    );
  }
  await db.destroy();
  return JSON.stringify(rows, (_key, value: unknown) =>
    value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : value,
  );
}

describe('the deletion of a session', () => {
  test('leaves nothing of it but a receipt', async () => {
    const payload = { avatar_id: NORA, metadata: { customer: 'Zoë Example' } };
    const key = { 'idempotency-key': 'of-the-session' };
    const opened = await service.call('POST', '/v1/sessions', { payload, headers: key });
    const { id } = opened.json();
    await service.call('POST', `/v1/sessions/${id}/end`);

    const reply = await remove(`/v1/sessions/${id}`);

    expect(reply.statusCode, reply.body).toBe(200);
    expect(reply.json()).toEqual({
      id,
      receipt_id: expect.any(String),
      deleted_at: expect.any(String),
      deleted: expect.objectContaining({ sessions: 1, idempotent_replies: 1 }),
    });
    expect(await status(`/v1/sessions/${id}`)).toBe(404);
    expect(await everything()).not.toContain('Zoë Example');
    const [entry] = (await service.call('GET', '/v1/audit-log?limit=1')).json().data;
    expect(entry).toMatchObject({
      id: reply.json().receipt_id,
      action: 'session.deleted',
      target_id: id,
      after: reply.json().deleted,
    });
  });

  test('is undone if its receipt cannot be written', async () => {
    const id = await endedSession();
    const db = service.place.open();
    await db.schema.alterTable('audit_entries').renameTo('away').execute();

    const reply = await remove(`/v1/sessions/${id}`);

    await db.schema.alterTable('away').renameTo('audit_entries').execute();
    await db.destroy();
    expect(reply.statusCode).toBe(500);
    expect(await status(`/v1/sessions/${id}`)).toBe(200);
  });

  test('is refused while it is live', async () => {
    const opened = await service.call('POST', '/v1/sessions', { payload: { avatar_id: NORA } });

    const reply = await remove(`/v1/sessions/${opened.json().id}`);

    expect(reply.statusCode).toBe(409);
    expect(reply.json()).toMatchObject({ detail: 'The session is live. End it first.' });
  });

  test('keeps its minutes', async () => {
    const fresh = await buildApp();
    const [worker] = fresh.workers;
    const usage = async () => (await fresh.call('GET', '/v1/usage')).json();
    const opened = await fresh.call('POST', '/v1/sessions', { payload: { avatar_id: NORA } });
    const path = `/v1/sessions/${opened.json().id}`;
    const { placement } = await worker!.next('assign');
    await worker!.started(placement);
    await worker!.atRest();
    await until(async () => (await fresh.call('GET', path)).json().status.type === 'ongoing');
    fresh.clock.advance(120_000);
    await fresh.call('POST', `${path}/end`);
    const usageBefore = await usage();

    const reply = await fresh.call('DELETE', path);

    expect(reply.statusCode).toBe(200);
    expect(usageBefore.minutes_used).toBe(2);
    expect(await usage()).toEqual(usageBefore);
    await fresh.close();
  });

  test('is for its own account only, and once', async () => {
    const id = await endedSession();
    const { headers } = await makeAccount(service, 'free');

    const strangerReply = await remove(`/v1/sessions/${id}`, headers);
    const firstReply = await remove(`/v1/sessions/${id}`);
    const repeatReply = await remove(`/v1/sessions/${id}`);

    expect([strangerReply, firstReply, repeatReply].map(({ statusCode }) => statusCode)).toEqual([
      404, 200, 404,
    ]);
  });
});

describe('the deletion of a call', () => {
  test('leaves nothing of it, its transcript and its events', async () => {
    const webhook = await service.call('POST', '/v1/webhooks', {
      payload: { url: 'http://127.0.0.1:9/', events: ['call.started', 'call.ended', 'message'] },
    });
    const { id, sessionId } = await newCall();
    const db = service.place.open();
    const line = { sender: 'user' as const, message: 'my secret illness', latency: null };
    await db
      .insertInto('call_messages')
      .values({ id: `${id}/1`, call_id: id, sent_at: 1, listed_at: 1, ...line })
      .execute();
    await db.destroy();
    const live = await remove(`/v1/calls/${id}`);
    await service.call('POST', `/v1/sessions/${sessionId}/end`);
    const alone = await remove(`/v1/sessions/${sessionId}`);

    const reply = await remove(`/v1/calls/${id}`);

    expect([live.statusCode, alone.statusCode]).toEqual([409, 409]);
    expect(alone.json()).toMatchObject({ call_id: id });
    expect(reply.statusCode, reply.body).toBe(200);
    expect(reply.json().deleted).toMatchObject({ calls: 1, messages: 1, sessions: 1 });
    expect([await status(`/v1/calls/${id}`), await status(`/v1/sessions/${sessionId}`)]).toEqual([
      404, 404,
    ]);
    const remainingText = await everything();
    expect(remainingText).not.toContain('secret illness');
    expect(remainingText).not.toContain('Zoë Example');
    await remove(`/v1/webhooks/${webhook.json().id}`);
  });
});

describe('the deletion of an account', () => {
  test('leaves nothing but its receipt and who did what', async () => {
    const account = await makeAccount(service, 'unlimited');
    const post = async (url: string, payload: object) =>
      (await service.call('POST', url, { payload, headers: account.headers })).json();
    const agent = await post('/v1/agents', {
      name: 'Jarvis of Example Ltd',
      avatar_id: NORA,
      system_prompt: 'Our recipe.',
    });
    await post('/v1/external-apis', {
      type: 'openai_compatible_llm',
      name: 'Model of Example Ltd',
      url: 'https://llm.example/v1',
      api_key: 'sk-1',
    });
    await post('/v1/knowledge-files', {
      name: 'Prices',
      format: 'text',
      content: 'Example Ltd: eggs are two dollars.',
    });
    await post('/v1/webhooks', { url: 'http://127.0.0.1:9/', events: ['session.ended'] });
    const session = await post('/v1/sessions', {
      avatar_id: NORA,
      metadata: { customer: 'Example Ltd' },
    });
    await post('/v1/calls', { agent_id: agent.id, user_name: 'A person of Example Ltd' });
    expect(session.id).toEqual(expect.any(String));

    const begun = await adminCall(service)('DELETE', `/accounts/${account.id}`);
    const refused = await service.call('GET', '/v1/sessions', { headers: account.headers });
    const receipt = await completed(account.id);

    expect(begun.statusCode).toBe(202);
    expect(refused.statusCode).toBe(401);
    expect(receipt).toMatchObject({
      account_id: account.id,
      completed_at: expect.any(String),
      deleted: { agents: 1, calls: 1, external_apis: 1, knowledge_files: 1, sessions: 2 },
    });
    expect((await adminCall(service)('GET', `/accounts/${account.id}`)).statusCode).toBe(404);
    expect(await everything()).not.toContain('Example Ltd');
    const { headers } = await makeAccount(service, 'free', 'operator');
    const log = await service.call('GET', `/v1/audit-log?account_id=${account.id}&limit=50`, {
      headers,
    });
    const { data } = log.json();
    expect(data.map((entry: { action: string }) => entry.action)).toEqual(
      expect.arrayContaining(['account.deleted', 'agent.created', 'account.created']),
    );
    expect(data.every((entry: { after: unknown }) => entry.after === null)).toBe(true);
  });

  test('deletes its photos from the disk', async () => {
    const account = await makeAccount(service, 'unlimited');
    const form = await formOf({
      name: 'Ada',
      picture: file(pictureBytes('only theirs')),
      consent: 'She agrees.',
    });
    await service.call('POST', '/v1/avatars', {
      ...form,
      headers: { ...form.headers, ...account.headers },
    });
    const countBefore = await blobCount();

    await adminCall(service)('DELETE', `/accounts/${account.id}`);
    await completed(account.id);

    expect(countBefore - (await blobCount())).toBe(1);
  });

  test('is refused for the first account, and 404 for an unknown one', async () => {
    const firstAccountReply = await adminCall(service)('DELETE', `/accounts/${FIRST_ACCOUNT}`);
    const unknown = await adminCall(service)('DELETE', '/accounts/nobody');
    const receipt = await adminCall(service)('GET', `/accounts/${FIRST_ACCOUNT}/deletion`);

    expect([firstAccountReply.statusCode, unknown.statusCode, receipt.statusCode]).toEqual([
      409, 404, 404,
    ]);
  });

  test('is resumed after a restart', async () => {
    const account = await makeAccount(service, 'free');
    const db = service.place.open();
    await db
      .insertInto('account_deletions')
      .values({ account_id: account.id, requested_at: 1, deleted: '{}', completed_at: null })
      .execute();
    await db.destroy();

    service.clock.leap(3_600_000);

    await completed(account.id);
  });
});

async function completed(accountId: string): Promise<Record<string, unknown>> {
  const read = async () =>
    (await adminCall(service)('GET', `/accounts/${accountId}/deletion`)).json();
  await until(async () => {
    service.clock.advance(50);
    return (await read()).completed_at !== null;
  });
  return read();
}

/** Blobs in files, or in rows of PostgreSQL. */
async function blobCount(): Promise<number> {
  const db = service.place.open();
  const rows = await db.selectFrom('blobs').select('hash').execute();
  await db.destroy();
  if (service.place.env.DATABASE_URL) return rows.length;
  const files = readdirSync(path.join(service.place.dataDir, 'blobs'));
  expect(files).toHaveLength(rows.length);
  return files.length;
}
