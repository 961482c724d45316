import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { API_KEY, buildApp, type BuiltApp } from '../../support/api/build-app.ts';
import { rawAnswer } from '../../support/api/raw-answer.ts';
import { FIRST_AVATAR } from '../../support/cast.ts';

let service: BuiltApp;
beforeAll(async () => {
  service = await buildApp();
});
afterAll(() => service.close());

const head = (path: string, key = API_KEY) =>
  rawAnswer(
    service.url,
    `HEAD ${path} HTTP/1.1\r\nhost: x\r\nx-api-key: ${key}\r\nconnection: close\r\n\r\n`,
  );

describe('HEAD', () => {
  test.each([
    { path: '/v1/avatars', status: 200 },
    { path: '/v1/auth/verify', status: 204 },
    { path: '/v1/avatars/nobody', status: 404 },
    { path: '/v1/nothing', status: 404 },
    { path: '/v1/webhooks/x/test', status: 405 },
    { path: '/v1/sessions?limit=0', status: 422 },
    { path: '/v1/avatars', key: 'none', status: 401 },
    { path: `/avatars/${FIRST_AVATAR.alias}/picture`, status: 200 },
    { path: '/openapi.json', status: 200 },
    { path: '/docs/api/console', status: 200 },
  ])('$path has the status and headers of GET, no body and no length: $status', async (example) => {
    const answer = await head(example.path, example.key);

    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${example.status} `));
    expect(answer).not.toMatch(/content-length|transfer-encoding/i);
    expect(answer.split('\r\n\r\n')[1]).toBe('');
  });
});
