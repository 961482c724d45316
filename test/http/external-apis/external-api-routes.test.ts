import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Writable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createLog } from '#shared/log.ts';
import { changePlan, TROUPE_ADMIN_PASSWORD } from '../../support/api/admin.ts';
import { buildApp, NORA, type BuiltApp } from '../../support/api/build-app.ts';

let service: BuiltApp;
let logged = '';
beforeAll(async () => {
  const destination = new Writable({
    write(chunk, _encoding, done) {
      logged += String(chunk);
      done();
    },
  });
  service = await buildApp({
    slots: 0,
    log: createLog({ name: 'test', level: 'trace' }, destination),
    env: { ALLOWED_NETWORKS: '10.1.0.0/16', TROUPE_ADMIN_PASSWORD },
  });
});
afterAll(() => service.close());

const KEY = 'sk-nobody-reads-this';
const good = {
  type: 'openai_compatible_llm',
  name: 'Model',
  url: 'https://llm.example/v1',
  api_key: KEY,
};

const create = (fields: object = {}, headers: Record<string, string> = {}) =>
  service.call('POST', '/v1/external-apis', { payload: { ...good, ...fields }, headers });
const createOne = async (fields: object = {}) => (await create(fields)).json<{ id: string }>();
const get = (id: string) => service.call('GET', `/v1/external-apis/${id}`);
const patch = (id: string, payload: object) =>
  service.call('PATCH', `/v1/external-apis/${id}`, { payload });
const remove = (id: string) => service.call('DELETE', `/v1/external-apis/${id}`);
const agentWith = async (api_id: string) => {
  const llm = { type: 'openai_compatible', api_id, model: 'm', temperature: 1 };
  const payload = { name: 'Jarvis', avatar_id: NORA, llm };
  return (await service.call('POST', '/v1/agents', { payload })).json<{ id: string }>().id;
};

describe('external APIs', () => {
  test('are stored and returned without their key', async () => {
    const created = await create();

    expect(created.statusCode).toBe(201);
    expect(created.json()).toEqual({
      id: expect.any(String),
      type: 'openai_compatible_llm',
      name: 'Model',
      url: 'https://llm.example/v1',
      created_at: '2026-01-01T12:00:00.000000+00:00',
    });
    expect((await get(created.json().id)).json()).toEqual(created.json());
  });

  test('are listed most recent first, in pages', async () => {
    const ids = [];
    for (let index = 0; index < 3; index += 1) ids.push((await createOne()).id);

    const firstBody = (await service.call('GET', '/v1/external-apis?limit=2')).json();
    const nextPath = `/v1/external-apis?limit=1&cursor=${firstBody.next_cursor}`;
    const second = (await service.call('GET', nextPath)).json();

    const listed = [...firstBody.data, ...second.data].map(({ id }: { id: string }) => id);
    expect(listed).toEqual(ids.toReversed());
  });

  test('change only in the given fields', async () => {
    const resourceBefore = await createOne();

    const changed = await patch(resourceBefore.id, { name: 'Another' });
    const nothing = await patch(resourceBefore.id, {});

    expect([changed.statusCode, changed.body, nothing.statusCode]).toEqual([204, '', 204]);
    expect((await get(resourceBefore.id)).json()).toEqual({ ...resourceBefore, name: 'Another' });

    await patch(resourceBefore.id, {
      type: good.type,
      url: 'http://10.1.2.3:8000/v1',
      api_key: 'sk-2',
    });

    expect((await get(resourceBefore.id)).json()).toEqual({
      ...resourceBefore,
      name: 'Another',
      url: 'http://10.1.2.3:8000/v1',
    });
  });

  test('are not found after deletion', async () => {
    const { id } = await createOne();

    const deleted = await remove(id);

    expect([deleted.statusCode, deleted.body]).toEqual([204, '']);
    expect((await get(id)).statusCode).toBe(404);
    expect((await patch(id, { name: 'x' })).statusCode).toBe(404);
    expect((await remove(id)).statusCode).toBe(404);
  });

  test('cannot be deleted while an agent uses them', async () => {
    const { id } = await createOne();
    const agents = [await agentWith(id), await agentWith(id)];

    const refused = await remove(id);

    expect(refused.statusCode).toBe(409);
    const { detail, agent_id } = refused.json();
    expect(detail).toBe('An agent refers to it. Detach it from the agents first.');
    expect(agent_id.sort()).toEqual(agents.sort());

    for (const agent of agents) {
      await service.call('PATCH', `/v1/agents/${agent}`, { payload: { llm: null } });
    }
    expect((await remove(id)).statusCode).toBe(204);
  });

  test.each([
    ['another host', 'https://attacker.example/v1'],
    ['another port', 'https://llm.example:8443/v1'],
    ['no TLS', 'http://llm.example/v1'],
  ])('need their key again for a url with %s', async (_, url) => {
    const { id } = await createOne();

    const refused = await patch(id, { url });
    const keptReply = await get(id);
    const changed = await patch(id, { url, api_key: 'sk-another' });

    expect(refused.statusCode).toBe(422);
    expect(refused.json().detail).toEqual([
      expect.objectContaining({ type: 'missing', loc: ['body', 'api_key'] }),
    ]);
    expect(keptReply.json().url).toBe(good.url);
    expect(changed.statusCode).toBe(204);
    expect((await get(id)).json().url).toBe(url);
  });

  test('keep their key at another path of the same origin', async () => {
    const { id } = await createOne();

    expect((await patch(id, { url: 'https://LLM.example:443/v2' })).statusCode).toBe(204);
  });

  test('keep their type', async () => {
    const { id } = await createOne();

    const otherTypeReply = await patch(id, { type: 'openai_compatible_stt', name: 'Another' });
    const sameTypeReply = await patch(id, { type: good.type, name: 'Same' });

    expect(otherTypeReply.statusCode).toBe(422);
    expect(otherTypeReply.json().detail[0]).toMatchObject({ loc: ['body', 'type'] });
    expect(sameTypeReply.statusCode).toBe(204);
    expect((await get(id)).json()).toMatchObject({ type: good.type, name: 'Same' });
  });

  test('are created once per Idempotency-Key', async () => {
    const firstReply = await create({}, { 'idempotency-key': 'api-1' });

    const repeat = await create({}, { 'idempotency-key': 'api-1' });
    const otherNameReply = await create({ name: 'Other' }, { 'idempotency-key': 'api-1' });

    expect(repeat.json()).toEqual(firstReply.json());
    expect(otherNameReply.statusCode).toBe(409);
  });

  test('are not accessible to other accounts', async () => {
    const { id } = await createOne();
    const headers = { 'x-api-key': await service.strangerKey() };
    const at = `/v1/external-apis/${id}`;

    const replies = await Promise.all([
      service.call('GET', at, { headers }),
      service.call('PATCH', at, { headers, payload: { name: 'Mine' } }),
      service.call('DELETE', at, { headers }),
      service.call('GET', `/v1/external-api/${id}`, { headers }),
    ]);
    const listed = await service.call('GET', '/v1/external-apis', { headers });

    expect(replies.map(({ statusCode }) => statusCode)).toEqual([404, 404, 404, 404]);
    expect(listed.json().data).toEqual([]);
    expect((await get(id)).json().name).toBe('Model');
  });

  test('require a plan that includes them', async () => {
    const { id } = await createOne();
    await changePlan(service, 'free');

    const refused = await create();
    const older = await service.call('POST', '/v1/external-api', { payload: good });
    const readReply = await get(id);

    await changePlan(service, 'unlimited');
    const detail = 'This capability is not available for this type of account.';
    expect([refused.statusCode, refused.json()]).toMatchObject([501, { detail }]);
    expect(older.statusCode).toBe(501);
    expect(readReply.statusCode).toBe(200);
  });
});

const addresses = [
  { wrong: 'with another scheme', url: 'ftp://llm.example/v1' },
  { wrong: 'without a scheme', url: 'llm.example/v1' },
  { wrong: 'if malformed', url: 'https://' },
  { wrong: 'with a password', url: 'https://me:secret@llm.example/v1' },
  { wrong: 'with a NUL', url: 'https://llm.example/\0' },
  { wrong: 'if too long', url: `https://llm.example/${'x'.repeat(2048)}` },
  { wrong: 'for this machine', url: 'http://127.0.0.1:11434/v1' },
  { wrong: 'for this machine by name', url: 'http://localhost:11434/v1' },
  { wrong: 'for this machine in IPv6', url: 'http://[::1]/v1' },
  { wrong: 'for this machine as a number', url: 'http://2130706433/v1' },
  { wrong: 'for a private network', url: 'http://192.168.1.1/v1' },
  { wrong: 'for a private network in IPv6', url: 'https://[fd00::1]/v1' },
  { wrong: 'for cloud metadata', url: 'http://169.254.169.254/latest/meta-data' },
  { wrong: 'for a private network mapped to IPv6', url: 'https://[::ffff:10.0.0.1]/v1' },
];

describe('the address of an external API', () => {
  test.each(addresses)('is refused $wrong', async ({ url }) => {
    const { id } = await createOne();

    for (const reply of [await create({ url }), await patch(id, { url })]) {
      expect(reply.statusCode).toBe(422);
      expect(reply.json().detail[0].loc).toEqual(['body', 'url']);
    }
    expect((await get(id)).json().url).toBe(good.url);
  });

  test.each([
    'http://llm.example/v1',
    'https://llm.example:8443/v1?version=1',
    'http://8.8.8.8/v1',
  ])('may be %s', async (url) => {
    expect((await create({ url })).json().url).toBe(url);
  });
});

describe('an invalid external API', () => {
  test.each([
    { wrong: 'no type', more: { type: undefined }, loc: 'type' },
    { wrong: 'an unknown type', more: { type: 'oracle' }, loc: 'type' },
    { wrong: 'no name', more: { name: undefined }, loc: 'name' },
    { wrong: 'an empty name', more: { name: '' }, loc: 'name' },
    { wrong: 'a long name', more: { name: 'x'.repeat(101) }, loc: 'name' },
    { wrong: 'a NUL in its name', more: { name: '\0' }, loc: 'name' },
    { wrong: 'no address', more: { url: undefined }, loc: 'url' },
    { wrong: 'no key', more: { api_key: undefined }, loc: 'api_key' },
    { wrong: 'an empty key', more: { api_key: '' }, loc: 'api_key' },
    { wrong: 'a key with line breaks', more: { api_key: 'a\r\nb' }, loc: 'api_key' },
    { wrong: 'a null key', more: { api_key: null }, loc: 'api_key' },
  ])('has $wrong', async ({ more: fields, loc }) => {
    const reply = await create(fields);

    expect(reply.statusCode).toBe(422);
    expect(reply.json().detail).toEqual([expect.objectContaining({ loc: ['body', loc] })]);
  });
});

describe('the key of an external API', () => {
  test('appears in no answer, stored file or log', async () => {
    const { id } = await createOne();
    await create({}, { 'idempotency-key': 'secret-1' });
    await patch(id, { api_key: KEY });
    await agentWith(id);
    const older = await service.call('POST', '/v1/external-api', { payload: good });

    const answers = [
      await create(),
      await get(id),
      await service.call('GET', '/v1/external-apis'),
      await service.call('GET', '/v1/external-api'),
      older,
      await create({ name: undefined }),
      await create({ url: 'http://127.0.0.1' }),
      await create({ api_key: `${KEY} ` }),
      await patch(id, { api_key: `${KEY}\n` }),
    ].map(({ body }) => body);

    expect(answers.join()).not.toContain(KEY);
    expect(await atRest()).not.toContain(KEY);
    expect(logged).toContain('external API created');
    expect(logged).not.toContain(KEY);
  });
});

/** All database rows and raw files of the service. */
async function atRest(): Promise<string> {
  const database = service.place.open();
  const rows = [
    await database.selectFrom('external_apis').selectAll().execute(),
    await database.selectFrom('replies').selectAll().execute(),
    await database.selectFrom('agents').selectAll().execute(),
  ];
  await database.destroy();
  const { dataDir } = service.place;
  const files = readdirSync(dataDir).map((name) =>
    readFileSync(path.join(dataDir, name), 'latin1'),
  );
  return [JSON.stringify(rows), ...files].join('\n');
}

describe('older external APIs', () => {
  test('are the same resources, listed as a plain array', async () => {
    const created = await service.call('POST', '/v1/external-api', { payload: good });
    const { id } = created.json();
    const at = `/v1/external-api/${id}`;

    const listed = (await service.call('GET', '/v1/external-api')).json();
    const changed = await service.call('PATCH', at, { payload: { name: 'Second' } });
    const retrievedReply = await service.call('GET', at);
    const deleted = await service.call('DELETE', at);

    expect(created.statusCode).toBe(201);
    const { api_key: _, ...visibleFields } = good;
    expect(created.json()).toEqual({ id, ...visibleFields });
    expect(listed[0]).toEqual(created.json());
    expect(changed.statusCode).toBe(204);
    expect(retrievedReply.json()).toEqual({ ...created.json(), name: 'Second' });
    expect([deleted.statusCode, (await get(id)).statusCode]).toEqual([204, 404]);
  });

  test('link to their successor', async () => {
    const { headers } = await service.call('GET', '/v1/external-api/none');

    expect(headers.deprecation).toMatch(/^@\d+$/);
    expect(headers.link).toMatch(/\/v1\/external-apis>; rel="successor-version"$/);
  });
});
