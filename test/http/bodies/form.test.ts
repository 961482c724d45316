import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildApp, type BuiltApp } from '../../support/api/build-app.ts';
import { pictureBytes } from '../../support/api/form.ts';

let service: BuiltApp;
beforeAll(async () => void (service = await buildApp()));
afterAll(() => service.close());

const PICTURE = pictureBytes().toString('latin1');

type Part = { disposition: string; headers?: string; value?: string };

const part = ({ disposition, headers = '', value = PICTURE }: Part) =>
  `--B\r\nContent-Disposition: ${disposition}\r\n${headers}\r\n${value}\r\n`;

const create = (
  parts: Part[],
  { type = 'multipart/form-data; boundary=B', before = '', after = '' } = {},
) =>
  service.call('POST', '/v1/avatars', {
    headers: { 'content-type': type },
    payload: Buffer.from(`${before}${parts.map(part).join('')}--B--\r\n${after}`, 'latin1'),
  });

const fields: Part[] = [
  { disposition: 'form-data; name="name"', value: 'Ada' },
  { disposition: 'form-data; name="consent"', value: 'She agrees.' },
];
const picture: Part = { disposition: 'form-data; name="picture"; filename="a.jpg"' };

describe('a form as programs write it is read', () => {
  test.each<[string, Part]>([
    ['spaces around =', { disposition: 'form-data; name = "picture"; filename = "a.jpg"' }],
    ['escaped quotes', { disposition: 'form-data; name="picture"; filename="a\\"b.jpg"' }],
    [
      'no file name',
      { disposition: 'form-data; name="picture"', headers: 'Content-Type: image/jpeg\r\n' },
    ],
    [
      'no file name, bytes',
      {
        disposition: 'form-data; name="picture"',
        headers: 'Content-Type: application/octet-stream\r\n',
      },
    ],
    ['no quotes', { disposition: 'form-data; name=picture; filename=a.jpg' }],
    ['no space', { disposition: 'form-data;name="picture";filename="a.jpg"' }],
    ['an empty file name', { disposition: 'form-data; name="picture"; filename=""' }],
    [
      'a file name in UTF-8',
      { disposition: `form-data; name="picture"; filename="x"; filename*=UTF-8''%e2%82%ac.jpg` },
    ],
    ['a path as file name', { disposition: 'form-data; name="picture"; filename="C:\\a\\b.jpg"' }],
    ['headers in lower case', { ...picture, headers: 'content-type: image/jpeg\r\nx-a: b\r\n' }],
  ])('%s', async (_, file) => {
    const reply = await create([...fields, file]);

    expect(reply.statusCode, reply.body).toBe(201);
  });

  test.each([
    { what: 'a quoted boundary', type: 'multipart/form-data; boundary="B"' },
    { what: 'spaces around = of the boundary', type: 'multipart/form-data; boundary = "B"' },
    {
      what: 'a charset before the boundary',
      type: 'multipart/form-data; charset=utf-8; boundary=B',
    },
    { what: 'capitals', type: 'Multipart/Form-Data; Boundary=B' },
    { what: 'a preamble', before: 'This is a form.\r\n' },
    { what: 'an epilogue', after: 'Good bye.\r\n' },
  ])('$what', async ({ type, before, after }) => {
    const reply = await create([...fields, picture], { type, before, after });

    expect(reply.statusCode, reply.body).toBe(201);
  });
});

describe('a form that is none is refused', () => {
  test.each([
    { what: 'another boundary', type: 'multipart/form-data; boundary=C' },
    { what: 'no boundary', type: 'multipart/form-data' },
    { what: 'an empty boundary', type: 'multipart/form-data; boundary=' },
  ])('$what', async ({ type }) => {
    const reply = await create([...fields, picture], { type });

    expect(reply.statusCode, reply.body).toBe(422);
  });

  test('a part without a name', async () => {
    const reply = await create([...fields, picture, { disposition: 'form-data; filename="a"' }]);

    expect(reply.statusCode, reply.body).toBe(422);
  });

  test('a name of the prototype', async () => {
    const reply = await create([
      ...fields,
      picture,
      { disposition: 'form-data; name="__proto__"', value: 'x' },
    ]);

    expect(reply.statusCode, reply.body).toBe(422);
  });
});
