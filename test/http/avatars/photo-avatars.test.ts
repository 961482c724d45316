import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PICTURE_PROBLEMS } from '#protocol/pictures/picture-problems.ts';
import { hashOf } from '../../../src/records/blobs.ts';
import { makeAccount, TROUPE_ADMIN_PASSWORD } from '../../support/api/admin.ts';
import { buildApp, BUILT_IN, NORA, type BuiltApp } from '../../support/api/build-app.ts';
import { pictureBytes } from '../../support/api/form.ts';
import { until } from '../../support/until.ts';
import { file, PhotoAvatars, sound } from '../../support/api/photo-avatars.ts';
import { WebhookCalls } from '../../support/api/webhook-calls.ts';
import { WebhookSink } from '../../support/api/webhook-sink.ts';

let service: BuiltApp;
let photos: PhotoAvatars;
beforeAll(async () => {
  const env = { TROUPE_ADMIN_PASSWORD, PUBLIC_URL: 'https://troupe.example' };
  service = await buildApp({ env: { ...env, ALLOWED_NETWORKS: '127.0.0.0/8' } });
  photos = await PhotoAvatars.open(service);
});
afterAll(() => service.close());

const get = async (id: string, headers = {}) =>
  (await service.call('GET', `/v1/avatars/${id}`, { headers })).json();
const remove = (id: string, headers = {}) =>
  service.call('DELETE', `/v1/avatars/${id}`, { headers });
const open = (avatar_id: string, headers = {}) =>
  service.call('POST', '/v1/sessions', { payload: { avatar_id }, headers });
const newAgent = (avatar_id: string) =>
  service.call('POST', '/v1/agents', { payload: { name: 'Jarvis', avatar_id } });

describe('an avatar from a photo', () => {
  test('starts as building, with progress', async () => {
    const reply = await photos.create({ ...sound(), background: '#AABBCC' });

    expect(reply.statusCode, reply.body).toBe(201);
    const { id } = reply.json();
    expect(reply.json()).toEqual({
      id: expect.any(String),
      name: 'Ada',
      status: 'building',
      progress: 0,
      picture: `https://troupe.example/avatars/${id}/picture`,
      voice: null,
      background: '#aabbcc',
      consent: 'She agrees.',
      created_at: '2026-01-01T12:00:00.000000+00:00',
    });
    expect(await get(id)).toEqual(reply.json());
    expect((await service.call('GET', `/avatars/${id}/picture`)).statusCode).toBe(404);
    await photos.finish();
    expect(await get(id)).toEqual({ ...reply.json(), status: 'ready', progress: 100 });
  });

  test('is built with its background picture', async () => {
    const office = pictureBytes('office');

    const reply = await photos.create({ ...sound(), background: file(office) });

    expect(reply.statusCode, reply.body).toBe(201);
    expect(reply.json()).toMatchObject({ background: 'picture' });
    expect(await get(reply.json().id)).toEqual(reply.json());
    const worker = service.workers.at(-1)!;
    await until(() => worker.building);
    const { picture, backgroundPicture } = worker.building!;
    expect(picture).not.toBe(backgroundPicture);
    expect((await photos.blob('GET', backgroundPicture!)).rawPayload).toEqual(office);
    await photos.finish();
  });

  test('stores the consent with its time and key', async () => {
    const { headers, keyId } = await makeAccount(service, 'unlimited');
    const id = await photos.building(headers);
    await photos.finish();

    const database = service.place.open();
    const row = await database
      .selectFrom('avatars')
      .select(['consent', 'consented_at', 'consent_key_id'])
      .where('id', '=', id)
      .executeTakeFirst();
    await database.destroy();

    expect(row).toEqual({
      consent: 'She agrees.',
      consented_at: service.clock.now(),
      consent_key_id: keyId,
    });
  });

  test('serves its picture to anyone who knows its id', async () => {
    const id = await photos.ready();

    const picture = await service.app.server.inject({ url: `/avatars/${id}/picture` });

    expect(picture.statusCode).toBe(200);
    expect(picture.headers).toMatchObject({
      'content-type': 'image/webp',
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, max-age=60',
    });
    expect(picture.body).toBe(`the portrait of ${id}`);
  });

  test('has a reason and advice when it failed', async () => {
    const id = await photos.building();

    await photos.fail('two_faces');

    expect(await get(id)).toMatchObject({
      status: 'failed',
      reason: 'two_faces',
      advice: PICTURE_PROBLEMS.two_faces,
    });
  });

  test('sends a webhook event when ready, not when failed', async () => {
    const sink = await WebhookSink.open(() => service.clock.now());
    const webhooks = new WebhookCalls(service);
    const { id: webhookId } = await webhooks.created(sink, { events: ['avatar.ready'] });
    const failing = await photos.building();
    await photos.fail('no_face');

    const id = await photos.ready();

    expect(failing).not.toBe(id);
    const deliveries = (await webhooks.deliveries(webhookId)).filter(({ type }) => type !== 'test');
    expect(deliveries).toMatchObject([{ type: 'avatar.ready' }]);
    webhooks.wake();
    await sink.when(() => sink.received.some(({ payload }) => payload.type === 'avatar.ready'));
    expect(sink.received.at(-1)!.payload.data).toEqual({ id, name: 'Ada' });
    await webhooks.clear();
    await sink.close();
  });

  test('is used by sessions with its bundle once ready', async () => {
    const id = await photos.building();
    const early = await open(id);
    const { bundle } = await photos.finish();

    const reply = await open(id);

    expect(early.statusCode).toBe(409);
    expect(early.json()).toMatchObject({
      avatar_id: id,
      detail: expect.stringContaining('still being built'),
    });
    expect(reply.statusCode, reply.body).toBe(201);
    expect(reply.json()).toMatchObject({ avatar_id: id });
    const worker = service.workers.at(-1)!;
    const assigned = () => [...worker.performing.values()].find(({ avatarId }) => avatarId === id);
    await until(assigned);
    expect(assigned()).toMatchObject({ bundle });
  });

  test('cannot be used when failed', async () => {
    const id = await photos.building();
    await photos.fail('no_face');

    const reply = await open(id);

    expect(reply.statusCode).toBe(409);
    expect(reply.json()).toMatchObject({ detail: expect.stringContaining('No face was found') });
  });

  test('performs for agents and in calls', async () => {
    const id = await photos.building();
    const early = await newAgent(id);
    await photos.finish();

    const agent = await newAgent(id);
    const call = await service.call('POST', '/v1/calls', {
      payload: { agent_id: agent.json().id },
    });

    expect(early.statusCode).toBe(409);
    expect(agent.statusCode).toBe(201);
    expect(call.statusCode, call.body).toBe(201);
  });

  test('is available to its account only', async () => {
    const id = await photos.ready();
    const { headers } = await makeAccount(service, 'unlimited');

    const replies = [
      await service.call('GET', `/v1/avatars/${id}`, { headers }),
      await service.call('GET', `/v1/avatar/${id}`, { headers }),
      await remove(id, headers),
      await open(id, headers),
    ];

    expect(replies.map(({ statusCode }) => statusCode)).toEqual([404, 404, 404, 404]);
    const list = (await service.call('GET', '/v1/avatars', { headers })).json();
    expect(list.data.map((avatar: { id: string }) => avatar.id)).toEqual(BUILT_IN);
  });

  test('is listed after the built-in ones, across pages', async () => {
    const { headers } = await makeAccount(service, 'unlimited');
    const ownIds = [];
    for (let i = 0; i < 3; i++) ownIds.unshift(await photos.ready(headers));
    const allIds = [...BUILT_IN, ...ownIds];

    for (const limit of [1, 2, 3, 4, 5]) {
      const pagedIds: string[] = [];
      let cursor = '';
      do {
        const url = `/v1/avatars?limit=${limit}${cursor && `&cursor=${cursor}`}`;
        const page = (await service.call('GET', url, { headers })).json();
        expect(page.data.length).toBeGreaterThan(0);
        pagedIds.push(...page.data.map(({ id }: { id: string }) => id));
        expect(page.has_more).toBe('next_cursor' in page);
        cursor = page.next_cursor ?? '';
      } while (cursor);
      expect(pagedIds).toEqual(allIds);
    }
    const older = (await service.call('GET', '/v1/avatar', { headers })).json();
    expect(older.map(({ id }: { id: string }) => id)).toEqual(allIds);
  });

  test('is created once per Idempotency-Key', async () => {
    const key = { 'idempotency-key': 'one-avatar' };
    const firstReply = await photos.create(sound(), key);
    const repeatReply = await photos.create(sound(), key);
    const otherPicture = file(pictureBytes('other'));
    const otherReplies = [
      await photos.create({ ...sound(), picture: otherPicture }, key),
      await photos.create({ ...sound(), background: otherPicture }, key),
    ];

    expect(repeatReply.json()).toEqual(firstReply.json());
    expect(otherReplies.map(({ statusCode }) => statusCode)).toEqual([409, 409]);
    await photos.finish();
  });

  test('counts against the limit of the plan', async () => {
    const { headers } = await makeAccount(service, 'free');
    await photos.ready(headers);

    const secondReply = await photos.create(sound(), headers);

    expect(secondReply.statusCode).toBe(409);
    expect(secondReply.json().detail).toBe(
      'Your plan includes 1 custom avatar. Delete one or upgrade your plan.',
    );
  });
});

describe('deleting an avatar', () => {
  test('deletes all its data', async () => {
    const [picture, background] = [pictureBytes('hers alone'), pictureBytes('her office')];
    const parts = { ...sound(), picture: file(picture), background: file(background) };
    const id = (await photos.create(parts)).json<{ id: string }>().id;
    const { bundle, portrait } = await photos.finish();

    const reply = await remove(id);

    expect(reply.statusCode).toBe(204);
    expect((await service.call('GET', `/v1/avatars/${id}`)).statusCode).toBe(404);
    expect((await service.call('GET', `/avatars/${id}/picture`)).statusCode).toBe(404);
    for (const hash of [bundle, portrait, hashOf(picture), hashOf(background)]) {
      expect((await photos.blob('GET', hash)).statusCode).toBe(404);
    }
  });

  test('keeps files that another avatar uses', async () => {
    const [firstReply, secondReply] = [await photos.create(), await photos.create()];
    await photos.finish();
    await photos.finish();

    await remove(firstReply.json().id);

    const database = service.place.open();
    const pictures = await database
      .selectFrom('avatars')
      .innerJoin('blobs', 'blobs.hash', 'avatars.picture_hash')
      .select('size')
      .where('avatars.id', '=', secondReply.json().id)
      .execute();
    await database.destroy();
    expect(pictures).toHaveLength(1);
  });

  test('is refused while an agent uses it, naming the agent', async () => {
    const id = await photos.ready();
    const agent = (await newAgent(id)).json();

    const refused = await remove(id);
    await service.call('DELETE', `/v1/agents/${agent.id}`);

    expect(refused.statusCode).toBe(409);
    expect(refused.json()).toMatchObject({ agent_id: [agent.id] });
    expect((await remove(id)).statusCode).toBe(204);
  });

  test('is refused while a session uses it, naming the session', async () => {
    const id = await photos.ready();
    const session = (await open(id)).json();

    const refused = await remove(id);
    await service.call('POST', `/v1/sessions/${session.id}/end`);

    expect(refused.statusCode).toBe(409);
    expect(refused.json()).toMatchObject({ session_id: session.id });
    expect((await remove(id)).statusCode).toBe(204);
  });

  test('is limited to the account’s own avatars', async () => {
    expect((await remove(NORA)).statusCode).toBe(403);
    expect((await remove('00000000-0000-4000-8000-000000000000')).statusCode).toBe(404);
  });
});
