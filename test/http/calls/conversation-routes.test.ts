import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { callMessageRecords, PAGE } from '../../../src/records/calls/call-messages.ts';
import { Lists } from '../../../src/records/engine/pages.ts';
import { addAgent } from '../../support/api/agent.ts';
import { encryptorAt } from '../../support/records/encryptor.ts';
import { buildApp, type BuiltApp } from '../../support/api/build-app.ts';

let service: BuiltApp;
let ids: string[];

beforeAll(async () => {
  service = await buildApp();
  const { id: agentId } = await addAgent(service);
  ids = [];
  for (let i = 0; i < 3; i += 1) {
    const payload = { agent_id: agentId, user_name: `user ${i}` };
    ids.unshift((await service.call('POST', '/v1/calls', { payload })).json().id);
  }
  const [worker] = service.workers;
  const { placement } = (await worker?.next('assign')) ?? {};
  if (placement) await worker?.started(placement);
  const records = service.place.open();
  const encryptor = await encryptorAt(service.place, records);
  const messages = callMessageRecords(records, encryptor, new Lists(randomBytes(32)));
  for (const [sender, message] of [
    ['user', 'Hello?'],
    ['ai', 'Hello! How can I help?'],
  ] as const) {
    const sentAt = service.clock.now();
    const details = { sender, message, sentAt, latency: null };
    await messages.add(ids[2] ?? '', message, details, async () => {});
  }
  await records.destroy();
});
afterAll(() => service.close());

const get = async (path: string) => (await service.call('GET', path)).json();

describe('conversations', () => {
  test('are calls under another path', async () => {
    const [id] = ids;

    expect(await get('/v1/conversations')).toEqual(await get('/v1/calls'));
    expect(await get(`/v1/conversations/${id}`)).toEqual(await get(`/v1/calls/${id}`));
  });

  test('list their messages as a plain array, in order', async () => {
    const id = ids[2];

    const messages = await get(`/v1/conversations/${id}/messages`);

    const sent_at = '2026-01-01T12:00:00.000000+00:00';
    expect(messages).toEqual([
      { message: 'Hello?', sent_at, sender: 'user' },
      { message: 'Hello! How can I help?', sent_at, sender: 'ai' },
    ]);
    expect(await get(`/v1/calls/${id}/messages`)).toEqual(messages);
    expect(await get(`/v1/conversations/${ids[0]}/messages`)).toEqual([]);
  });

  test('are listed in pages', async () => {
    const firstPage = await get('/v1/conversations?limit=2');
    const secondPage = await get(`/v1/conversations?limit=2&cursor=${firstPage.next_cursor}`);

    const conversations = [...firstPage.data, ...secondPage.data];
    expect(conversations.map(({ id }: { id: string }) => id)).toEqual(ids);
    expect(secondPage).not.toHaveProperty('next_cursor');
  });

  test('of another account are not found', async () => {
    const headers = { 'x-api-key': await service.strangerKey() };

    for (const path of [`/v1/conversations/${ids[0]}`, `/v1/conversations/${ids[0]}/messages`]) {
      expect((await service.call('GET', path, { headers })).statusCode).toBe(404);
    }
    const list = await service.call('GET', '/v1/conversations', { headers });
    expect(list.json()).toEqual({ data: [], has_more: false });
  });

  test('cannot be started under this path', async () => {
    const reply = await service.call('POST', '/v1/conversations', { payload: {} });

    expect(reply.statusCode).toBe(405);
    expect(reply.headers['allow']).toContain('GET');
  });

  test('have all their messages in spoken order, however many there are', async () => {
    const [id = ''] = ids;
    const records = service.place.open();
    const encryptor = await encryptorAt(service.place, records);
    const messages = callMessageRecords(records, encryptor, new Lists(randomBytes(32)));
    const numbers = Array.from({ length: 3 * PAGE }, (_, number) => number);
    for (const number of numbers.toReversed()) {
      // Some began at the same moment.
      const sentAt = service.clock.now() + Math.floor(number / 7);
      const details = { sender: 'ai', message: `"${number}"`, sentAt, latency: null } as const;
      await messages.add(id, String(number), details, async () => {});
    }
    const stored = await messages.list(id);
    await records.destroy();

    const listed = (await get(`/v1/calls/${id}/messages`)) as {
      message: string;
      sent_at: string;
    }[];

    expect(listed.map(({ message }) => message)).toEqual(stored.map(({ message }) => message));
    expect(new Set(listed.map(({ message }) => message)).size).toBe(numbers.length);
    const times = listed.map(({ sent_at: sentAt }) => sentAt);
    expect(times).toEqual(times.toSorted());
  });
});
