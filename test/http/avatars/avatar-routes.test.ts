import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { builtInAvatars } from '../../../src/avatars/built-in-avatars.ts';
import { buildApp, BUILT_IN, NORA, THEO, type BuiltApp } from '../../support/api/build-app.ts';
import { FIRST_AVATAR, SECOND_AVATAR } from '../../support/cast.ts';

let service: BuiltApp;
beforeAll(async () => {
  service = await buildApp({ slots: 0, env: { PUBLIC_URL: 'https://troupe.example' } });
});
afterAll(() => service.close());

const get = async (path: string) => (await service.call('GET', path)).json();

describe('avatars', () => {
  test('are listed in pages', async () => {
    const firstPage = await get('/v1/avatars?limit=1');
    const secondPage = await get(`/v1/avatars?cursor=${firstPage.next_cursor}`);

    expect(firstPage).toEqual({
      data: [
        {
          id: NORA,
          name: FIRST_AVATAR.name,
          status: 'ready',
          picture: `https://troupe.example/avatars/${NORA}/picture`,
          voice: 'nora',
        },
      ],
      has_more: true,
      next_cursor: expect.any(String),
    });
    expect(secondPage).toMatchObject({
      data: BUILT_IN.slice(1).map((id) => ({ id })),
      has_more: false,
    });
    expect(secondPage).not.toHaveProperty('next_cursor');
  });

  test('fit on one page by default', async () => {
    expect(await get('/v1/avatars')).toMatchObject({
      data: BUILT_IN.map((id) => ({ id })),
      has_more: false,
    });
  });

  test.each([
    { by: 'id', id: THEO },
    { by: 'name', id: SECOND_AVATAR.alias },
    { by: 'a stock id of the published plugins', id: 'b9be11b8-89fb-4227-8f86-4a881393cbdb' },
  ])('are found by $by', async ({ id }) => {
    expect(await get(`/v1/avatars/${id}`)).toMatchObject({ id: THEO, name: SECOND_AVATAR.name });
  });
});

const entry = (id: string, name: string, fields: object = {}) => {
  const files = { bundle: FIRST_AVATAR.bundle, picture: FIRST_AVATAR.picture };
  return { id, name, aliases: [name.toLowerCase()], ...files, ...fields };
};

describe('an avatar reserved for chosen accounts', () => {
  const KEPT = '6a2f7c35-0d2b-4f4e-8b0e-1c9d7a6e5f40';
  const ownerFields = { accounts: ['another-account'], creator_id: 'studio-7' };

  let shop: BuiltApp;
  let folder: string;
  let chosen: { 'x-api-key': string };
  beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'troupe-catalog-'));
    const file = path.join(folder, 'catalog.json');
    writeFileSync(
      file,
      JSON.stringify([entry(NORA, FIRST_AVATAR.name), entry(KEPT, 'Iris', ownerFields)]),
    );
    shop = await buildApp({ slots: 0, builtIn: builtInAvatars(file) });
    await shop.join({ avatars: [NORA, KEPT], slots: 5 });
    chosen = { 'x-api-key': await shop.strangerKey() };
  });
  afterAll(async () => {
    await shop.close();
    rmSync(folder, { recursive: true });
  });

  const refusal = {
    detail: 'You do not have permission to access this resource.',
    avatar_id: KEPT,
    creator_id: 'studio-7',
  };

  test.each([
    { what: 'retrieve it', method: 'GET', url: `/v1/avatars/${KEPT}` },
    { what: 'retrieve it by its name', method: 'GET', url: '/v1/avatars/iris' },
    { what: 'retrieve it at the older path', method: 'GET', url: `/v1/avatar/${KEPT}` },
    { what: 'use it in a session', method: 'POST', url: '/v1/sessions' },
    { what: 'use it in a session at the older path', method: 'POST', url: '/v1/session' },
  ] as const)('is refused to other accounts: $what', async ({ method, url }) => {
    const payload = method === 'POST' ? { payload: { avatar_id: KEPT } } : {};

    const reply = await shop.call(method, url, payload);

    expect(reply.statusCode).toBe(403);
    expect(reply.json()).toMatchObject(refusal);
  });

  test('is not listed for other accounts', async () => {
    const page = (await shop.call('GET', '/v1/avatars')).json();
    const older = (await shop.call('GET', '/v1/avatar')).json();

    expect(page).toMatchObject({ data: [{ id: NORA }], has_more: false });
    expect(older).toMatchObject([{ id: NORA }]);
  });

  test('is available to the chosen accounts', async () => {
    const page = await shop.call('GET', '/v1/avatars', { headers: chosen });
    const readReply = await shop.call('GET', `/v1/avatars/${KEPT}`, { headers: chosen });
    const opened = await shop.call('POST', '/v1/sessions', {
      headers: chosen,
      payload: { avatar_id: 'iris' },
    });

    expect(page.json()).toMatchObject({ data: [{ id: NORA }, { id: KEPT }] });
    expect(readReply.json()).toMatchObject({ id: KEPT, name: 'Iris' });
    expect(opened.json()).toMatchObject({ avatar_id: KEPT });
  });
});
