import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createLog } from '../../../src/shared/log.ts';
import { buildApp, type BuiltApp } from '../../support/api/build-app.ts';

let service: BuiltApp;
let logged: string;
beforeEach(async () => {
  logged = '';
  const log = createLog({ name: 'test', level: 'trace' }, { write: (line) => (logged += line) });
  service = await buildApp({ slots: 0, log });
});
afterEach(() => service.close());

type Line = { msg: string; req?: { url: string; remoteAddress: string } };

const requests = () =>
  logged
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Line)
    .filter(({ msg }) => msg === 'request completed')
    .map(({ req }) => req);

describe('the request log', () => {
  test.each([
    { url: '/v1/sessions?limit=5&cursor=a-secret', path: '/v1/sessions' },
    { url: '/nowhere?a-secret', path: '/nowhere' },
    { url: '/v1/sessions?limit=a-secret', path: '/v1/sessions' },
  ])('shows the path of $url without the query', async ({ url, path }) => {
    await service.call('GET', url);

    expect(requests()).toMatchObject([{ method: 'GET', url: path, remoteAddress: '127.0.0.1' }]);
    expect(logged).not.toContain('a-secret');
  });

  test('does not show the query of a path that cannot be decoded', async () => {
    await service.call('GET', '/%zz?key=a-secret');

    expect(logged).not.toContain('a-secret');
  });
});
