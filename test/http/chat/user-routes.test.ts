import { afterEach, describe, expect, test } from 'vitest';
import { MAX_COMMENT_LENGTH } from '#protocol/call-ratings.ts';
import { addAgent } from '../../support/api/agent.ts';
import { buildApp, type BuiltApp } from '../../support/api/build-app.ts';
import { WebhookSink } from '../../support/api/webhook-sink.ts';
import { until } from '../../support/until.ts';

const DAY_MS = 86_400_000;

let service: BuiltApp;
let agentId: string;
let path: string;
let token: string;

/** A call of the first agent, whose face is not there yet. */
async function open(env: Record<string, string> = {}): Promise<string> {
  service = await buildApp({ env });
  agentId = (await addAgent(service)).id;
  const reply = await service.app.server.inject({
    method: 'POST',
    url: `/v1/chat/${agentId}/calls`,
    payload: {},
  });
  const { id, room_token } = reply.json<{ id: string; room_token: string }>();
  [path, token] = [`/v1/chat/${agentId}/calls/${id}`, room_token];
  return id;
}
const openLive = async (env?: Record<string, string>): Promise<string> => {
  const id = await open(env);
  const { placement } = await service.workers[0]!.next('assign');
  await service.workers[0]!.started(placement);
  await until(async () => (await find(id)).status.type === 'ongoing');
  service.clock.advance(1_000);
  return id;
};
const find = async (id: string) => (await service.call('GET', `/v1/calls/${id}`)).json();
const leave = () =>
  service.app.server.inject({ method: 'DELETE', url: path, headers: headersOf(token) });
const headersOf = (bearer: string) => ({ authorization: `Bearer ${bearer}` });
const rate = (payload: object, headers: Record<string, string> = headersOf(token)) =>
  service.app.server.inject({ method: 'PUT', url: `${path}/rating`, payload, headers });
const listed = async (query: string): Promise<string[]> =>
  (await service.call('GET', `/v1/calls?${query}`))
    .json<{ data: { id: string }[] }>()
    .data.map(({ id }) => id);

afterEach(() => service.close());

describe('the rating of a call', () => {
  test('is stored for its owner, who lists calls by it', async () => {
    const id = await openLive();
    expect(await find(id)).toMatchObject({ rating: null, rating_comment: null });
    await leave();

    const reply = await rate({ rating: 'bad', comment: ' It froze twice.\n' });

    expect(reply.statusCode, reply.body).toBe(204);
    expect(reply.headers['cache-control']).toBe('no-store');
    const rated = { rating: 'bad', rating_comment: 'It froze twice.' };
    expect(await find(id)).toMatchObject(rated);
    expect((await service.call('GET', `/v1/conversations/${id}`)).json()).toMatchObject(rated);
    expect(await listed('rating=bad')).toEqual([id]);
    expect(await listed(`rating=bad&agent_id=${agentId}`)).toEqual([id]);
    expect(await listed('rating=bad&agent_id=another')).toEqual([]);
    expect(await listed('rating=good')).toEqual([]);
    expect((await service.call('GET', '/v1/calls?rating=fair')).statusCode).toBe(422);
  });

  test('can be changed, also while the call goes on', async () => {
    const id = await openLive();
    await rate({ rating: 'bad', comment: 'It froze.' });
    await rate({ rating: 'good', comment: 'It came back.' });
    expect(await find(id)).toMatchObject({ rating: 'good', rating_comment: 'It came back.' });
    await leave();

    for (const comment of [undefined, null, '  ']) {
      await rate({ rating: 'good', comment: 'Nice.' });
      await rate({ rating: 'good', comment });
      expect(await find(id)).toMatchObject({ rating: 'good', rating_comment: null });
    }
  });

  test('is an event each time it changes', async () => {
    const id = await openLive();
    const sink = await WebhookSink.open();
    const payload = { url: sink.url, events: ['call.rated'] };
    await service.call('POST', '/v1/webhooks', { payload });

    await rate({ rating: 'good' });
    await rate({ rating: 'good' });
    await rate({ rating: 'good', comment: 'Quick.' });
    await until(() => {
      service.clock.advance(1_000);
      return sink.received.length >= 3;
    });

    const rated = sink.received.flatMap(({ payload: { type, data } }) =>
      type === 'call.rated' ? [data] : [],
    );
    expect(rated).toMatchObject([
      { id, agent_id: agentId, rating: 'good', rating_comment: null },
      { id, agent_id: agentId, rating: 'good', rating_comment: 'Quick.' },
    ]);
    await sink.close();
  });

  test('is refused for a call that was never live', async () => {
    const id = await open();
    const early = await rate({ rating: 'good' });
    await leave();
    const late = await rate({ rating: 'good' });

    expect([early.statusCode, late.statusCode]).toEqual([409, 409]);
    expect(late.json()).toMatchObject({ detail: 'The call was never live.', code: 'conflict' });
    expect(await find(id)).toMatchObject({ rating: null });
  });

  test('is refused from a day after the end of the call', async () => {
    const id = await openLive();
    await leave();

    service.clock.advance(DAY_MS - 1);
    const inTime = await rate({ rating: 'good' });
    service.clock.advance(1);
    const late = await rate({ rating: 'bad' });

    expect([inTime.statusCode, late.statusCode]).toEqual([204, 409]);
    expect(late.json().detail).toBe('The call ended more than a day ago.');
    expect(await find(id)).toMatchObject({ rating: 'good' });
  });

  test('is of the user alone', async () => {
    const id = await openLive();

    const replies = [
      await rate({ rating: 'bad' }, {}),
      await rate({ rating: 'bad' }, headersOf('nobody')),
      await rate({ rating: 'bad' }, { 'x-api-key': 'key-of-the-first-account' }),
    ];

    expect(replies.map(({ statusCode }) => statusCode)).toEqual([401, 401, 401]);
    expect(await find(id)).toMatchObject({ rating: null });
  });

  test('is checked', async () => {
    await openLive();
    const problemIn = async (payload: object) => {
      const reply = await rate(payload);
      expect(reply.statusCode).toBe(422);
      return reply.json<{ detail: object[] }>().detail[0];
    };

    const rating = ['body', 'rating'];
    expect(await problemIn({})).toMatchObject({ type: 'missing', loc: rating });
    expect(await problemIn({ rating: 'fair' })).toMatchObject({ type: 'enum', loc: rating });
    const longest = 'x'.repeat(MAX_COMMENT_LENGTH);
    for (const comment of [`${longest}x`, 'a\0b'])
      expect(await problemIn({ rating: 'good', comment })).toMatchObject({
        loc: ['body', 'comment'],
      });
    expect((await rate({ rating: 'good', comment: longest })).statusCode).toBe(204);
  });

  test('counts as other requests of visitors', async () => {
    await openLive({ REQUESTS_PER_MINUTE: '1' });

    const statuses: number[] = [];
    for (let i = 0; i < 6; i++) statuses.push((await rate({ rating: 'good' })).statusCode);

    expect(statuses.at(0)).toBe(204);
    expect(statuses.at(-1)).toBe(429);
  });

  test('may be sent by pages that the owner of the agent allows', async () => {
    await openLive();
    const origin = 'https://somebody.example';
    const preflight = async () => {
      const reply = await service.app.server.inject({
        method: 'OPTIONS',
        url: `${path}/rating`,
        headers: { origin, 'access-control-request-method': 'PUT' },
      });
      return reply.headers;
    };
    expect(await preflight()).not.toHaveProperty('access-control-allow-origin');

    const payload = { allowed_origins: [origin] };
    await service.call('PATCH', `/v1/agents/${agentId}`, { payload });

    const { 'access-control-allow-methods': methods, ...allowed } = await preflight();
    expect(allowed).toMatchObject({ 'access-control-allow-origin': origin });
    expect(methods).toContain('PUT');
  });
});
