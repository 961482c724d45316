import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildApp, NORA, THEO, type BuiltApp } from '../support/build-app.ts';

let service: BuiltApp;
beforeAll(async () => {
  service = await buildApp({ slots: 0, env: { PUBLIC_URL: 'https://troupe.example' } });
});
afterAll(() => service.close());

const get = async (path: string) => (await service.call('GET', path)).json();

describe('avatars', () => {
  test('are listed in pages', async () => {
    const first = await get('/v1/avatars?limit=1');
    const second = await get(`/v1/avatars?limit=1&cursor=${first.next_cursor}`);

    expect(first).toEqual({
      data: [
        {
          id: NORA,
          name: 'Nora',
          picture: `https://troupe.example/avatars/${NORA}/picture`,
        },
      ],
      has_more: true,
      next_cursor: expect.any(String),
    });
    expect(second).toMatchObject({ data: [{ id: THEO, name: 'Theo' }], has_more: false });
    expect(second).not.toHaveProperty('next_cursor');
  });

  test('are all on one page by default', async () => {
    expect(await get('/v1/avatars')).toMatchObject({
      data: [{ id: NORA }, { id: THEO }],
      has_more: false,
    });
  });

  test.each([
    { by: 'id', id: THEO },
    { by: 'name', id: 'theo' },
    { by: 'a stock id of the published plugins', id: 'b9be11b8-89fb-4227-8f86-4a881393cbdb' },
  ])('are found by $by', async ({ id }) => {
    expect(await get(`/v1/avatars/${id}`)).toMatchObject({ id: THEO, name: 'Theo' });
  });
});
