import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pageHeaders } from '../../../src/http/pages/page-headers.ts';
import { buildApp, type BuiltApp } from '../../support/api/build-app.ts';

const PUBLIC_URL = 'https://troupe.example/below';

let service: BuiltApp;
beforeAll(async () => {
  service = await buildApp({ slots: 0, env: { PUBLIC_URL } });
});
afterAll(() => service.close());

describe('the API console', () => {
  test.each(['', '/', '/static/swagger-ui.css', '/static/swagger-initializer.js', '/json'])(
    'has the headers of the other pages: %s',
    async (path) => {
      const reply = await service.app.server.inject({ url: `/docs/api/console${path}` });
      const { 'cache-control': _, ...headers } = pageHeaders(['https://troupe.example']);

      expect(reply.statusCode).toBe(200);
      expect(reply.headers).toMatchObject(headers);
    },
  );

  test('runs no script but its own files', async () => {
    const { body } = await service.app.server.inject({ url: '/docs/api/console' });

    expect(body).not.toMatch(/<script>|<style|javascript:| on\w+=/);
  });
});
