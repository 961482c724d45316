import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildApp, type BuiltApp } from '../../../support/api/build-app.ts';
import { newFile } from '../../../support/api/resources.ts';

let service: BuiltApp;
beforeAll(async () => {
  service = await buildApp({ slots: 0 });
});
afterAll(() => service.close());

const LISTS = ['/v1/sessions', '/v1/agents', '/v1/webhooks', '/v1/session', '/v1/agent'];

describe('a number in a query is a decimal integer', () => {
  test.each(LISTS)('%s?limit=', async (path) => {
    const statusOf = async (limit: string) =>
      (await service.call('GET', `${path}?limit=${encodeURIComponent(limit)}`)).statusCode;

    const refused = [
      '0x10',
      '0b11',
      '1e1',
      '5.0',
      ' 5',
      '5 ',
      '+5',
      '',
      'true',
      '1_0',
      '٥',
      '9'.repeat(400),
    ];
    expect(await Promise.all(refused.map(statusOf))).toEqual(refused.map(() => 422));
    expect(await Promise.all(['1', '10', '050'].map(statusOf))).toEqual([200, 200, 200]);
  });

  test('is named as such in the problem', async () => {
    const reply = await service.call('GET', '/v1/sessions?limit=0x10');

    expect(reply.json()).toMatchObject({
      detail: [
        {
          type: 'integer_type',
          loc: ['query', 'limit'],
          msg: 'Input should be a valid integer',
          input: '0x10',
        },
      ],
    });
  });

  test('also as the number of a chunk', async () => {
    const path = `/v1/knowledge-files/${await newFile(service)}/upload`;

    const reply = await service.call('PUT', `${path}?chunk_number=0x0`, { payload: 'text' });

    expect(reply.statusCode).toBe(422);
  });
});

describe('an empty cursor', () => {
  test.each(LISTS)('is the first page: %s', async (path) => {
    const reply = await service.call('GET', `${path}?cursor=`);

    expect(reply.statusCode).toBe(200);
  });
});
