import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PICTURE_PROBLEMS } from '#protocol/pictures/picture-problems.ts';
import { buildApp, type BuiltApp } from '../../support/api/build-app.ts';
import { formOf, pictureBytes } from '../../support/api/form.ts';
import { file, PhotoAvatars, sound } from '../../support/api/photo-avatars.ts';

let service: BuiltApp;
let photos: PhotoAvatars;
beforeAll(async () => {
  service = await buildApp();
  photos = await PhotoAvatars.open(service);
});
afterAll(() => service.close());

const ofSize = (bytes: number) =>
  file(Buffer.concat([pictureBytes(), Buffer.alloc(bytes)]).subarray(0, bytes));

describe('an invalid form', () => {
  const { name, picture, consent } = sound();

  test.each([
    { wrong: 'no consent', fields: { name, picture }, at: 'consent', type: 'missing' },
    { wrong: 'no name', fields: { picture, consent }, at: 'name', type: 'missing' },
    { wrong: 'no picture', fields: { name, consent }, at: 'picture', type: 'missing' },
    {
      wrong: 'an empty name',
      fields: { name: '', picture, consent },
      at: 'name',
      type: 'string_too_short',
    },
    {
      wrong: 'two names',
      fields: { name: ['a', 'b'], picture, consent },
      at: 'name',
      type: 'string_type',
    },
    {
      wrong: 'two pictures',
      fields: { name, picture: [file(), file()], consent },
      at: 'picture',
      type: 'too_long',
    },
    {
      wrong: 'text as picture',
      fields: { name, picture: 'picture', consent },
      at: 'picture',
      type: 'file_type',
    },
    {
      wrong: 'an unknown background',
      fields: { name, picture, consent, background: 'beach' },
      at: 'background',
      type: 'string_pattern_mismatch',
    },
    {
      wrong: 'two backgrounds',
      fields: { name, picture, consent, background: ['blur', file()] },
      at: 'background',
      type: 'too_long',
    },
  ])('is refused: $wrong', async ({ fields, at, type }) => {
    const reply = await photos.create(fields as Parameters<typeof photos.create>[0]);

    expect(reply.statusCode, reply.body).toBe(422);
    expect(reply.json().detail).toEqual([expect.objectContaining({ type, loc: ['body', at] })]);
  });

  test.each(['picture', 'background'])('is refused: a %s that is not a picture', async (field) => {
    const reply = await photos.create({
      ...sound(),
      [field]: file(Buffer.from('a picture, honestly')),
    });

    expect(reply.statusCode).toBe(400);
    expect(reply.json()).toMatchObject({ detail: PICTURE_PROBLEMS.not_a_picture, field });
  });

  test('is refused: too large', async () => {
    const [LARGEST, FORM] = [16 * 1024 ** 2, 64 * 1024];
    const largest = ofSize(LARGEST);
    const most = await photos.create({ ...sound(), picture: largest, background: largest });
    await photos.finish();

    const replies = [
      await photos.create({ ...sound(), picture: ofSize(LARGEST + 1) }),
      await photos.create({ ...sound(), background: ofSize(LARGEST + 1) }),
      await photos.create({ ...sound(), picture: ofSize(2 * LARGEST + FORM) }),
    ];

    expect(most.statusCode, most.body).toBe(201);
    expect(replies.map(({ statusCode }) => statusCode)).toEqual([413, 413, 413]);
    expect(replies.map((reply) => reply.json().field)).toEqual([
      'picture',
      'background',
      undefined,
    ]);
  });

  test.each([
    { wrong: 'JSON', type: 'application/json', body: '{}', status: 415 },
    { wrong: 'no content type', type: '', body: 'x', status: 415 },
    { wrong: 'no boundary', type: 'multipart/form-data', body: 'x', status: 422 },
    { wrong: 'a malformed form', type: 'multipart/form-data; boundary=x', body: 'x', status: 422 },
    { wrong: 'an empty body', type: 'multipart/form-data; boundary=x', body: '', status: 422 },
  ])('is refused: $wrong', async ({ type, body, status }) => {
    const reply = await service.call('POST', '/v1/avatars', {
      payload: body,
      headers: { 'content-type': type },
    });

    expect(reply.statusCode, reply.body).toBe(status);
  });

  test('is refused: no body at all', async () => {
    const reply = await service.call('POST', '/v1/avatars');

    expect(reply.statusCode, reply.body).toBe(422);
    expect(reply.json().detail).toEqual([
      expect.objectContaining({ type: 'missing', loc: ['body'] }),
    ]);
  });

  test('is refused: truncated', async () => {
    const { headers, payload } = await formOf(sound());

    const reply = await service.call('POST', '/v1/avatars', {
      payload: payload.subarray(0, -20),
      headers,
    });

    expect(reply.statusCode, reply.body).toBe(422);
  });

  test('is refused at once: a thousand parts', async () => {
    const fields = Object.fromEntries(Array.from({ length: 1_000 }, (_, i) => [`f${i}`, 'x']));

    const reply = await photos.create({ ...sound(), ...fields });

    expect(reply.statusCode).toBe(422);
    expect(reply.json().detail[0].msg).toContain('50 parts');
  });
});
