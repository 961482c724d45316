import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { PICTURE_PROBLEMS } from '#protocol/pictures/picture-problems.ts';
import { makeAccount, adminCall, TROUPE_ADMIN_PASSWORD } from '../../support/api/admin.ts';
import { BUILT_IN, buildApp, NORA, roomToken, type BuiltApp } from '../../support/api/build-app.ts';
import { formOf, pictureBytes } from '../../support/api/form.ts';
import { file, PhotoAvatars } from '../../support/api/photo-avatars.ts';
import { SECOND_AVATAR } from '../../support/cast.ts';

let service: BuiltApp;
let photos: PhotoAvatars;
let key: string;
let accountId: string;
let picture: Buffer;
let serves: Server;
let address: string;
let downloads = 0;

beforeAll(async () => {
  const env = { TROUPE_ADMIN_PASSWORD, ALLOWED_NETWORKS: '127.0.0.1/32' };
  service = await buildApp({ env, slots: 100 });
  photos = await PhotoAvatars.open(service);
  serves = createServer((request, response) => {
    downloads += 1;
    if (request.url === '/picture.jpg') response.end(picture);
    else if (request.url === '/moved.jpg') response.writeHead(302, { location: '/' }).end();
    else if (request.url === '/much.jpg') response.end(Buffer.alloc(17 * 1024 ** 2));
    // Other addresses never answer.
  });
  serves.listen(0, '127.0.0.1');
  await once(serves, 'listening');
  address = `http://127.0.0.1:${(serves.address() as AddressInfo).port}`;
});
afterAll(async () => {
  serves.closeAllConnections();
  serves.close();
  await service.close();
});

beforeEach(async () => {
  const account = await makeAccount(service, 'unlimited');
  ({ id: accountId } = account);
  key = account.headers['x-api-key'];
  picture = pictureBytes(`of test ${accountId}`);
  downloads = 0;
});

const consent = (picture_consent: string | null = 'They agree.') =>
  adminCall(service)('PATCH', `/accounts/${accountId}`, { payload: { picture_consent } });

const room = async () => ({
  livekit_url: 'wss://media.their.example',
  livekit_token: await roomToken(
    { roomJoin: true, room: 'r' },
    { jti: String(Math.random()), exp: Math.floor(service.clock.now() / 1000) + 3_600 },
  ),
});

/** Session start of the hedra plugin, with a picture. */
async function start(fields: Parameters<typeof formOf>[0] = { avatar_image: file(picture) }) {
  const form = await formOf({ ...(await room()), ...fields });
  const headers = { ...form.headers, 'x-api-key': key };
  return service.app.server.inject({ method: 'POST', url: '/compat/hedra', ...form, headers });
}

/** Session start of the bithuman plugin, as JSON. */
const startJson = async (image: string) =>
  service.app.server.inject({
    method: 'POST',
    url: '/compat/bithuman',
    headers: { 'api-secret': key },
    payload: { ...(await room()), image },
  });

/** Session start of the lemonslice plugin. */
const startByUrl = async (url: string) =>
  service.app.server.inject({
    method: 'POST',
    url: '/compat/lemonslice',
    headers: { 'x-api-key': key },
    payload: { transport_type: 'livekit', properties: await room(), agent_image_url: url },
  });

const ownAvatars = async () =>
  (await service.call('GET', '/v1/avatars?limit=50', { headers: { 'x-api-key': key } }))
    .json()
    .data.slice(BUILT_IN.length);

const BUILDING = 'building; it performs once it is ready';
const DEFAULT = `${NORA}; default`;

describe('a picture that comes with a session', () => {
  test('is not used without consent, and the answer says so', async () => {
    const reply = await start();

    expect(reply.statusCode).toBe(201);
    expect(reply.headers).toMatchObject({
      'x-troupe-avatar': DEFAULT,
      'x-troupe-picture': 'not used; this account has not stated consent to pictures',
    });
    expect(await ownAvatars()).toEqual([]);
  });

  test('is used from the next session on', async () => {
    await consent();

    const firstReply = await start();
    const meanwhile = await start();
    await photos.finish();
    const nextReply = await start();

    expect(firstReply.statusCode).toBe(201);
    for (const reply of [firstReply, meanwhile]) {
      expect(reply.headers).toMatchObject({
        'x-troupe-avatar': DEFAULT,
        'x-troupe-picture': BUILDING,
      });
      expect(reply.headers).not.toHaveProperty('x-troupe-unused');
    }
    const avatars = await ownAvatars();
    expect(avatars).toMatchObject([{ status: 'ready', consent: 'They agree.' }]);
    expect(nextReply.headers).toMatchObject({
      'x-troupe-avatar': avatars[0].id,
      'x-troupe-picture': 'used',
    });
  });

  test('is built once, even for two concurrent sessions', async () => {
    await consent();

    const replies = await Promise.all([start(), start(), start()]);

    expect(new Set(replies.map(({ headers }) => headers['x-troupe-picture']))).toEqual(
      new Set([BUILDING]),
    );
    expect(await ownAvatars()).toHaveLength(1);
    await photos.finish();
  });

  test('is the same in every encoding', async () => {
    await consent();
    await start();
    await photos.finish();

    const base64 = await startJson(picture.toString('base64'));
    const dataUrl = await startJson(`data:image/jpeg;base64,${picture.toString('base64')}`);
    const url = await startByUrl(`${address}/picture.jpg`);

    const [{ id }] = await ownAvatars();
    for (const reply of [base64, dataUrl, url]) {
      expect(reply.headers['x-troupe-picture'], reply.body).toBe('used');
      expect(reply.headers['x-troupe-avatar']).toBe(id);
    }
  });

  test('reports a failed build, and is tried again after a while', async () => {
    await consent();
    await start();
    await photos.fail('two_faces');

    const soon = await start();
    service.clock.leap(3_600_000);
    const later = await start();

    expect(soon.headers['x-troupe-picture']).toBe(`not used; ${PICTURE_PROBLEMS.two_faces}`);
    expect(later.headers['x-troupe-picture']).toBe(BUILDING);
    await photos.finish();
    expect(await ownAvatars()).toMatchObject([{ status: 'ready' }]);
  });

  test('is ignored if the request names an avatar', async () => {
    await consent();

    const reply = await start({ avatar_id: SECOND_AVATAR.alias, avatar_image: file(picture) });

    expect(reply.headers['x-troupe-unused']).toBe('avatar_image');
    expect(reply.headers).not.toHaveProperty('x-troupe-picture');
    expect(await ownAvatars()).toEqual([]);
  });

  test('does not fail the session if it is not a picture', async () => {
    await consent();

    const reply = await start({ avatar_image: file(Buffer.from('a letter')) });

    expect(reply.statusCode).toBe(201);
    expect(reply.headers['x-troupe-picture']).toBe(`not used; ${PICTURE_PROBLEMS.not_a_picture}`);
  });

  test('is no longer used after consent is withdrawn', async () => {
    await consent();
    await start();
    await photos.finish();

    await consent(null);

    expect((await start()).headers).toMatchObject({
      'x-troupe-avatar': DEFAULT,
      'x-troupe-picture': 'not used; this account has not stated consent to pictures',
    });
  });
});

describe('the address of a picture', () => {
  beforeEach(() => consent());

  test.each([
    { url: 'http://10.1.2.3/picture.jpg', why: 'private or reserved network' },
    { url: 'http://user:password@127.0.0.1/', why: 'must not hold a user name' },
    { url: 'http://[::1]/picture.jpg', why: 'private or reserved network' },
  ])('is not requested: $url', async ({ url, why }) => {
    const reply = await startByUrl(url);

    expect(reply.statusCode).toBe(201);
    expect(reply.headers['x-troupe-picture']).toContain(why);
    expect(downloads).toBe(0);
  });

  test.each([
    { path: '/moved.jpg', why: 'answered 302' },
    { path: '/much.jpg', why: 'at most 16 MiB' },
  ])('is reported as unusable: $path', async ({ path, why }) => {
    const reply = await startByUrl(address + path);

    expect(reply.statusCode).toBe(201);
    expect(reply.headers['x-troupe-picture']).toContain(why);
  });

  test('delays a session by at most two seconds', async () => {
    const waiting = startByUrl(`${address}/never.jpg`);
    await expect.poll(() => downloads).toBe(1);

    await service.clock.pass(2_000);

    const reply = await waiting;
    expect(reply.statusCode).toBe(201);
    expect(reply.headers['x-troupe-picture']).toContain('within 2 s');
  });

  test('is reported as unreachable', async () => {
    const reply = await startByUrl('http://127.0.0.1:9/picture.jpg');

    expect(reply.headers['x-troupe-picture']).toBe('not used; The address could not be reached.');
  });
});
