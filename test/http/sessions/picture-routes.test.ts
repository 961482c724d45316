import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { until } from '../../support/until.ts';
import { buildApp, NORA, type BuiltApp } from '../../support/api/build-app.ts';

let service: BuiltApp;
beforeEach(async () => {
  service = await buildApp({ slots: 3 });
});
afterEach(() => service.close());

const open = (video: object) =>
  service.call('POST', '/v1/sessions', { payload: { avatar_id: NORA, video } });
const patch = (id: string, payload: object) =>
  service.call('PATCH', `/v1/sessions/${id}`, { payload });
const worker = () => service.workers[0]!;

describe('the picture of a session', () => {
  test('is as asked for, and the worker is told', async () => {
    const reply = await open({
      preset: 'landscape',
      fps: 30,
      framing: 'wide',
      background: 'office',
    });

    expect(reply.statusCode).toBe(201);
    expect(reply.json().video).toEqual({
      width: 1280,
      height: 720,
      fps: 30,
      framing: 'wide',
      background: 'office',
    });
    expect((await worker().next('assign')).video).toEqual({
      width: 1280,
      height: 720,
      fps: 30,
      framing: 'wide',
      background: { kind: 'picture', picture: 'office' },
    });
  });

  test.each([
    ['own', undefined],
    ['blur', { kind: 'blur' }],
    ['transparent', { kind: 'transparent' }],
    ['green', { kind: 'colour', colour: '#00b140' }],
    ['#A0B0C0', { kind: 'colour', colour: '#a0b0c0' }],
  ])('has the background %s', async (background, expected) => {
    await open({ background });

    expect((await worker().next('assign')).video.background).toEqual(expected);
  });

  test('needs a worker that draws it', async () => {
    const older = await buildApp({ slots: 0 });
    await older.join({ slots: 1, abilities: ['speech_sources'] });

    const plain = { payload: { avatar_id: NORA } };
    const wide = { payload: { avatar_id: NORA, video: { preset: 'landscape' } } };
    const refused = older.call('POST', '/v1/sessions', wide);
    const accepted = await older.call('POST', '/v1/sessions', plain);
    expect(accepted.statusCode).toBe(201);
    older.clock.advance(10_000);

    expect((await refused).statusCode).toBe(503);
    await older.close();
  });
});

/** The picture of a new call, as its worker gets it. */
const videoOfCall = async (agentVideo: object | null, video?: object) => {
  const agent = { name: 'Reception', avatar_id: NORA, video: agentVideo };
  const created = await service.call('POST', '/v1/agents', { payload: agent });
  expect(created.json().video).toEqual(agentVideo);
  const payload = { agent_id: created.json().id, ...(video && { video }) };
  expect((await service.call('POST', '/v1/calls', { payload })).statusCode).toBe(201);
  return (await worker().next('assign')).video;
};

describe('the picture of a call', () => {
  test('is the agent’s, unless the call asks for another', async () => {
    const agentVideo = { width: 800, height: 600, background: 'blur' };

    expect(await videoOfCall(agentVideo)).toEqual({
      width: 800,
      height: 600,
      fps: 25,
      background: { kind: 'blur' },
    });
    expect(await videoOfCall(agentVideo, { preset: 'portrait', fps: 15 })).toEqual({
      width: 720,
      height: 1280,
      fps: 15,
      background: { kind: 'blur' },
    });
  });

  test('has the shape of a visitor’s screen, unless the agent has a size', async () => {
    const agents = [null, { width: 800, height: 600 }].map(async (video) => {
      const payload = { name: 'Reception', avatar_id: NORA, video };
      return (await service.call('POST', '/v1/agents', { payload })).json<{ id: string }>().id;
    });
    const sizes = [];
    for (const id of await Promise.all(agents)) {
      const payload = { screen: 'portrait' };
      const reply = await service.call('POST', `/v1/chat/${id}/calls`, { payload, headers: {} });
      expect(reply.statusCode).toBe(201);
      sizes.push((await worker().next('assign')).video);
    }

    expect(sizes).toEqual([
      { width: 540, height: 960, fps: 25 },
      { width: 800, height: 600, fps: 25 },
    ]);
  });
});

describe('a change of the picture', () => {
  test('reaches the worker and stays in the record', async () => {
    const { id } = (await open({ preset: 'portrait' })).json();
    const { placement } = await worker().next('assign');

    const reply = await patch(id, {
      video: { framing: { x: 0.5, y: 0.4, head: 0.5 }, background: 'plain-dark' },
      emotion: 'happy',
    });

    expect(reply.statusCode).toBe(200);
    const video = {
      width: 720,
      height: 1280,
      fps: 25,
      framing: { x: 0.5, y: 0.4, head: 0.5 },
      background: 'plain-dark',
    };
    expect(reply.json().video).toEqual(video);
    expect(await worker().next('change_picture')).toEqual({
      type: 'change_picture',
      placement,
      framing: { x: 0.5, y: 0.4, head: 0.5 },
      background: { kind: 'picture', picture: 'plain-dark' },
      emotion: 'happy',
    });
    const found = await service.call('GET', `/v1/sessions/${id}`);
    expect(found.json().video).toEqual(video);
  });

  test('goes back to the avatar’s own room', async () => {
    const { id } = (await open({ background: 'blur' })).json();

    const reply = await patch(id, { video: { background: 'own' } });

    expect(reply.json().video).toEqual({ width: 512, height: 512, fps: 25 });
    expect(await worker().next('change_picture')).toMatchObject({ background: { kind: 'own' } });
  });

  test('is kept for the next worker', async () => {
    const { id } = (await open({ preset: 'landscape' })).json();
    const { placement } = await worker().next('assign');
    await worker().started(placement);
    await patch(id, { video: { framing: 'close' } });
    const next = await service.join({ slots: 3 });

    worker().crash();
    await worker().closed();
    await until(() => {
      service.clock.advance(1_000);
      return next.performing.has(id);
    });

    expect((await next.next('assign')).video).toMatchObject({ width: 1280, framing: 'close' });
  });

  test.each([
    ['the size', { preset: 'portrait' }, 'preset', /cannot change/],
    ['the frame rate', { fps: 30 }, 'fps', /cannot change/],
    ['an unknown background', { background: 'beach' }, 'background', /Unknown/],
    ['transparency', { background: 'transparent' }, 'background', /transparent/],
  ])('refuses %s', async (_what, video, field, says) => {
    const { id } = (await open({ preset: 'landscape' })).json();

    const reply = await patch(id, { video });

    expect(reply.statusCode).toBe(422);
    expect(reply.json().detail[0]).toMatchObject({
      loc: ['body', 'video', field],
      msg: expect.stringMatching(says),
    });
  });

  test('is refused while an older worker shows the session', async () => {
    const older = await buildApp({ slots: 0 });
    await older.join({ slots: 1, abilities: [] });
    const opened = await older.call('POST', '/v1/sessions', { payload: { avatar_id: NORA } });

    const path = `/v1/sessions/${opened.json().id}`;
    const reply = await older.call('PATCH', path, { payload: { emotion: 'happy' } });

    expect(reply.statusCode).toBe(409);
    expect(reply.json().detail).toMatch(/older version/);
    await older.close();
  });

  test('is refused for a session that is over, or of another account', async () => {
    const { id } = (await open({})).json();
    await service.call('POST', `/v1/sessions/${id}/end`);

    expect((await patch(id, { emotion: 'sad' })).statusCode).toBe(409);
    const unknown = await patch('7b0d8a3e-5a0f-4c77-9a77-2f4c1a9b1d11', { emotion: 'sad' });
    expect(unknown.statusCode).toBe(404);
  });
});
