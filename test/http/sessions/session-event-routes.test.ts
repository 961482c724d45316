import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { HEARTBEAT_MS } from '../../../src/http/plumbing/event-stream.ts';
import { API_KEY, buildApp, NORA, type BuiltApp } from '../../support/api/build-app.ts';
import { until } from '../../support/until.ts';

let service: BuiltApp;
beforeEach(async () => {
  service = await buildApp();
});
afterEach(() => service.close());

const open = async (): Promise<string> =>
  (await service.call('POST', '/v1/sessions', { payload: { avatar_id: NORA } })).json().id;
const assignment = async () => {
  const [worker] = service.workers;
  const assign = await worker?.next('assign');
  if (!worker || !assign) throw new Error('nothing was assigned');
  await worker.atRest();
  return { worker, placement: assign.placement };
};

/** Heartbeats of open streams; no other timer here is as long. */
const heartbeats = () => service.clock.dueIn(HEARTBEAT_MS);

/** A client that reads events as they arrive. */
async function follow(id: string, headers: Record<string, string> = {}) {
  const stop = new AbortController();
  const response = await fetch(`${service.url}/v1/sessions/${id}/events`, {
    headers: { 'x-api-key': API_KEY, accept: 'text/event-stream', ...headers },
    signal: stop.signal,
  });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  if (!reader) throw new Error('no body');
  let text = '';
  /** The next block of lines; null at the end of the stream. */
  const nextBlock = async (): Promise<string | null> => {
    while (!text.includes('\n\n')) {
      const { done, value } = await reader.read();
      if (done) return null;
      text += value;
    }
    const end = text.indexOf('\n\n');
    const block = text.slice(0, end);
    text = text.slice(end + 2);
    return block;
  };
  const nextEvent = async () => {
    const [, name, data] = /^event: (.*)\ndata: (.*)$/.exec((await nextBlock()) ?? '') ?? [];
    return name && data ? { name, session: JSON.parse(data) } : null;
  };
  return { response, next: nextBlock, nextEvent, leave: () => stop.abort() };
}

describe('the events of a session', () => {
  test('start with the current state, follow changes and end with the session', async () => {
    const id = await open();
    const { worker, placement } = await assignment();

    const client = await follow(id);
    const asItIs = await client.nextEvent();
    await worker.started(placement);
    const started = await client.nextEvent();
    await worker.ended(placement, 'room_refused', 0, 'no answer from media.example:443');
    const ended = await client.nextEvent();

    expect(client.response.headers.get('content-type')).toBe('text/event-stream');
    expect(client.response.headers.get('cache-control')).toBe('no-store');
    expect(asItIs).toMatchObject({
      name: 'session',
      session: { id, status: { type: 'to_start' } },
    });
    expect(started).toMatchObject({
      name: 'session.started',
      session: { id, status: { type: 'ongoing' } },
    });
    const retrievedReply = await service.call('GET', `/v1/sessions/${id}`);
    expect(ended).toEqual({ name: 'session.ended', session: retrievedReply.json() });
    expect(retrievedReply.json().end_detail).toBe('no answer from media.example:443');
    expect(await client.next()).toBeNull();
  });

  test('of a completed session are its state only', async () => {
    const id = await open();
    await service.call('POST', `/v1/sessions/${id}/end`);

    const client = await follow(id, { 'last-event-id': '7' });

    const only = await client.nextEvent();
    expect(only).toMatchObject({ name: 'session', session: { status: { type: 'completed' } } });
    expect(await client.next()).toBeNull();
  });

  test('neither miss nor repeat a change during the lookup', async () => {
    const id = await open();
    const { worker, placement } = await assignment();

    const [client] = await Promise.all([follow(id), worker.started(placement)]);
    await worker.ended(placement, 'agent_left');

    const seenTypes: string[] = [];
    for (let event = await client.nextEvent(); event; event = await client.nextEvent()) {
      seenTypes.push(event.session.status.type);
    }
    expect(seenTypes.slice(-2)).toEqual(['ongoing', 'completed']);
    expect(new Set(seenTypes).size).toBe(seenTypes.length);
  });

  test('belong to this session only', async () => {
    const [id, otherId] = [await open(), await open()];
    const client = await follow(id);
    await client.nextEvent();

    await service.call('POST', `/v1/sessions/${otherId}/end`);
    await service.call('POST', `/v1/sessions/${id}/end`);

    expect(await client.nextEvent()).toMatchObject({ name: 'session.ended', session: { id } });
  });

  test('are kept open by comments', async () => {
    const client = await follow(await open());
    await assignment();
    await client.nextEvent();

    service.clock.advance(HEARTBEAT_MS);
    const firstBlock = await client.next();
    service.clock.advance(HEARTBEAT_MS);
    const secondBlock = await client.next();

    expect([firstBlock, secondBlock]).toEqual([': still here', ': still here']);
    client.leave();
  });

  test('clean up when the client disconnects', async () => {
    const id = await open();
    await assignment();
    const client = await follow(id);
    await client.nextEvent();
    expect(heartbeats()).toBe(1);

    client.leave();

    await until(() => heartbeats() === 0);
  });

  test('end when the service stops without delaying it', async () => {
    const client = await follow(await open());
    await client.nextEvent();

    await service.app.close();

    expect(await client.next()).toBeNull();
  });

  test('of an unknown session are not found and leave no open stream', async () => {
    const client = await follow('nobody');

    expect(client.response.status).toBe(404);
    expect(client.response.headers.get('content-type')).toMatch(/json/);
    await until(() => heartbeats() === 0);
  });

  test('of another account are not found', async () => {
    const id = await open();

    const client = await follow(id, { 'x-api-key': await service.strangerKey() });

    expect(client.response.status).toBe(404);
  });

  test('can be read from any origin', async () => {
    const id = await open();
    await service.call('POST', `/v1/sessions/${id}/end`);
    const page = { origin: 'https://somebody.example' };

    const client = await follow(id, page);
    const preflight = await service.call('OPTIONS' as 'GET', `/v1/sessions/${id}/events`, {
      headers: {
        ...page,
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'x-api-key, last-event-id',
      },
    });

    expect(client.response.headers.get('access-control-allow-origin')).toBe('*');
    expect(preflight.headers['access-control-allow-headers']).toContain('last-event-id');
  });

  test('are documented', async () => {
    const document = (await service.call('GET', '/openapi.json')).json();

    const { content } = document.paths['/v1/sessions/{id}/events'].get.responses['200'];
    expect(Object.keys(content)).toEqual(['text/event-stream']);
  });
});
