import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TROUPE_ADMIN_PASSWORD, makeAccount } from '../../support/api/admin.ts';
import { buildApp, NORA, type BuiltApp } from '../../support/api/build-app.ts';
import { dataUrlOf, logoBytes } from '../../support/picture/logo.ts';
import { formOf, pictureBytes } from '../../support/api/form.ts';
import { file } from '../../support/api/photo-avatars.ts';

let service: BuiltApp;
let folder: string;
beforeAll(async () => {
  service = await buildApp({ env: { TROUPE_ADMIN_PASSWORD } });
  folder = mkdtempSync(path.join(tmpdir(), 'troupe-test-'));
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await service.close();
});

const exportOf = (headers: Record<string, string> = {}) =>
  service.call('POST', '/v1/export', { headers });

function unpack(archive: Buffer, name: string): string {
  const place = path.join(folder, name);
  execFileSync('sh', ['-c', `mkdir "${place}" && tar -xzf - -C "${place}"`], { input: archive });
  return place;
}

const linesOf = (place: string, name: string) =>
  readdirSync(path.join(place, name))
    .filter((file) => file.endsWith('.ndjson'))
    .flatMap((file) =>
      readFileSync(path.join(place, name, file), 'utf8')
        .trimEnd()
        .split('\n'),
    )
    .map((line) => JSON.parse(line) as Record<string, unknown>);

const everythingIn = (place: string): string =>
  readdirSync(place, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(path.join(entry.parentPath, entry.name), 'latin1'))
    .join('\n');

describe('the export of an account', () => {
  test('holds everything in the form of the API, without secrets', async () => {
    const post = async (url: string, payload: object) =>
      (await service.call('POST', url, { payload })).json();
    const agent = await post('/v1/agents', {
      name: 'Jarvis',
      avatar_id: NORA,
      system_prompt: 'Be kind.',
      appearance: { logo: dataUrlOf(logoBytes()) },
    });
    const api = await post('/v1/external-apis', {
      type: 'openai_compatible_llm',
      name: 'Model',
      url: 'https://llm.example/v1',
      api_key: 'sk-secret',
    });
    const knowledge = await post('/v1/knowledge-files', {
      name: 'Prices',
      format: 'text',
      content: 'Eggs are two dollars.',
    });
    const webhook = await post('/v1/webhooks', {
      url: 'http://127.0.0.1:9/',
      events: ['message'],
    });
    const { id: session } = await post('/v1/sessions', { avatar_id: NORA });
    const call = await post('/v1/calls', { agent_id: agent.id, user_name: 'Zoë' });
    const form = { name: 'Ada', picture: file(pictureBytes()), consent: 'She agrees.' };
    const avatar = (await service.call('POST', '/v1/avatars', await formOf(form))).json();

    const reply = await exportOf();

    expect(reply.statusCode).toBe(200);
    expect(reply.headers['content-type']).toBe('application/gzip');
    expect(reply.headers['content-disposition']).toBe(
      'attachment; filename="troupe-export-2026-01-01.tar.gz"',
    );
    const place = unpack(reply.rawPayload, 'first');
    const read = (name: string) => readFileSync(path.join(place, name), 'utf8');
    const get = async (url: string) => (await service.call('GET', url)).json();
    expect(JSON.parse(read('account.json'))).toMatchObject({ name: 'first', plan: 'unlimited' });
    // What an agent can do now is no data of the account.
    const { abilities, ...stored } = agent;
    expect(abilities).toBeDefined();
    expect(linesOf(place, 'agents')).toEqual([
      {
        ...stored,
        appearance: { ...agent.appearance, logo: expect.stringContaining(agent.id) },
        chat_url: expect.stringContaining(agent.id),
      },
    ]);
    expect(readFileSync(path.join(place, `agents/${agent.id}/logo`))).toEqual(logoBytes());
    expect(linesOf(place, 'external-apis')).toEqual([api]);
    expect(linesOf(place, 'knowledge-files')).toEqual([
      expect.objectContaining({ id: knowledge.id }),
    ]);
    expect(read(`knowledge-files/${knowledge.id}.txt`)).toBe('Eggs are two dollars.');
    expect(linesOf(place, 'webhooks')).toEqual([await get(`/v1/webhooks/${webhook.id}`)]);
    expect(linesOf(place, `webhooks/${webhook.id}/deliveries`)).toHaveLength(1);
    expect(linesOf(place, 'sessions')).toContainEqual({
      ...(await get(`/v1/sessions/${session}`)),
      timeline: expect.any(Array),
    });
    expect(linesOf(place, 'calls')).toEqual([
      { ...(await get(`/v1/calls/${call.id}`)), messages: [] },
    ]);
    expect(linesOf(place, 'avatars')[0]).toMatchObject({ id: avatar.id, consent: 'She agrees.' });
    expect(readFileSync(path.join(place, `avatars/${avatar.id}/picture`))).toEqual(pictureBytes());
    expect(linesOf(place, 'api-keys')).toHaveLength(1);
    expect(linesOf(place, 'audit-log')[0]).toMatchObject({ action: 'account.exported' });
    for (const secret of ['sk-secret', webhook.secret, call.livekit_token]) {
      expect(everythingIn(place)).not.toContain(secret);
    }
  });

  test('holds nothing of other accounts', async () => {
    const { headers } = await makeAccount(service, 'free');

    const reply = await exportOf(headers);

    const place = unpack(reply.rawPayload, 'other');
    expect(readdirSync(place).toSorted()).toEqual(['account.json', 'api-keys', 'audit-log']);
  });

  test('comes in parts of bounded size', async () => {
    const { id, headers } = await makeAccount(service, 'unlimited');
    const db = service.place.open();
    const row = { account_id: id, name: 'a', format: 'text', status: 'to-upload', content: null };
    const rows = Array.from({ length: 250 }, (_, i) => ({
      ...row,
      id: `file-${id}-${i}`,
      created_at: 0,
      listed_at: i,
    }));
    await db
      .insertInto('knowledge_files')
      .values(rows as never)
      .execute();
    await db.destroy();

    const place = unpack((await exportOf(headers)).rawPayload, 'parts');

    expect(readdirSync(path.join(place, 'knowledge-files')).toSorted()).toEqual([
      '0001.ndjson',
      '0002.ndjson',
      '0003.ndjson',
    ]);
    expect(linesOf(place, 'knowledge-files')).toHaveLength(250);
  });

  test('is sent once at a time', async () => {
    const { headers } = await makeAccount(service, 'free');

    const replies = await Promise.all([exportOf(headers), exportOf(headers)]);
    const later = await exportOf(headers);

    const statuses = replies.map(({ statusCode }) => statusCode);
    expect(new Set(statuses)).toEqual(new Set([200, 409]));
    expect(later.statusCode).toBe(200);
  });
});
