import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildApp, type BuiltApp } from '../../support/api/build-app.ts';

let service: BuiltApp;

beforeAll(async () => {
  service = await buildApp({ slots: 0 });
});
afterAll(() => service.app.close());

describe('voices', () => {
  test('are listed with what one needs to choose', async () => {
    const answer = await service.call('GET', '/v1/voices');

    expect(answer.statusCode).toBe(200);
    const { data } = answer.json();
    expect(data.map(({ id, sex }: { id: string; sex: string }) => [id, sex])).toEqual([
      ['nora', 'female'],
      ['ines', 'female'],
      ['theo', 'male'],
      ['samuel', 'male'],
    ]);
    expect(data[0]).toMatchObject({ name: 'Nora', language: 'en' });
  });

  test('have a sample that needs no key', async () => {
    const { data } = (await service.call('GET', '/v1/voices')).json();

    for (const { sample } of data) {
      const { statusCode, headers, rawPayload } = await service.app.server.inject(
        new URL(sample).pathname,
      );
      expect(statusCode).toBe(200);
      expect(headers['content-type']).toBe('audio/ogg');
      expect(rawPayload.subarray(0, 4).toString()).toBe('OggS');
    }
  });

  test.each(['nobody/recordings/0', 'nora/recordings/99', 'nora/recordings/..%2f..%2fhibari'])(
    'have nothing at %s',
    async (path) => {
      expect((await service.app.server.inject(`/voices/${path}`)).statusCode).toBe(404);
    },
  );
});
