import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { TROUPE_ADMIN_PASSWORD } from '../../support/api/admin.ts';
import { buildApp, type BuiltApp } from '../../support/api/build-app.ts';
import { troupe } from '../run-troupe.ts';

let service: BuiltApp;
beforeEach(async () => {
  service = await buildApp({ slots: 0, env: { TROUPE_ADMIN_PASSWORD } });
});
afterEach(() => service.close());

const status = async (key: string): Promise<number> => {
  const headers = { 'x-api-key': key };
  return (await service.call('GET', '/v1/auth/verify', { headers })).statusCode;
};

const places = [
  { where: 'in the records of this machine', env: () => service.place.env },
  {
    where: 'through the admin API',
    env: () => ({ TROUPE_URL: service.url, TROUPE_ADMIN_PASSWORD }),
  },
];

describe.each(places)('troupe key, $where', ({ env }) => {
  const run = (...args: string[]) => troupe(['key', ...args], { env: env() });

  test('creates a key that the service accepts at once', async () => {
    const { code, stdout } = await run('create', '--name', 'my laptop');

    expect(code).toBe(0);
    expect(stdout).toMatch(/^troupe_\w{40}\n$/);
    expect(await status(stdout.trim())).toBe(204);
  });

  test('creates a key with limits', async () => {
    const limits = ['--scopes', 'calls:read', '--expires', '2999-01-31', '--networks', '::1/128'];
    const { stdout } = await run('create', '--name', 'ci', ...limits, '--json');

    expect(JSON.parse(stdout)).toMatchObject({
      name: 'ci',
      scopes: ['calls:read'],
      expires_at: '2999-01-31T00:00:00.000000+00:00',
      allowed_networks: ['::1/128'],
      key: expect.stringMatching(/^troupe_/),
    });
  });

  test('lists keys, revoked ones only on request', async () => {
    const keptKey = JSON.parse((await run('create', '--name', 'kept', '--json')).stdout);
    const revokedKey = JSON.parse((await run('create', '--name', 'gone', '--json')).stdout);
    await run('revoke', revokedKey.id);

    const few = await run('list');
    const fullList = await run('list', '--all', '--json');

    expect(few.stdout).toMatch(new RegExp(`^${keptKey.id} +kept +all .* valid$`, 'm'));
    expect(few.stdout).not.toContain(revokedKey.id);
    const listed = JSON.parse(fullList.stdout).data as { id: string; revoked_at: string | null }[];
    expect(listed.find(({ id }) => id === revokedKey.id)?.revoked_at).toEqual(expect.any(String));
    expect(fullList.stdout).not.toContain(keptKey.key);
  });

  test('revokes a key, and writes both to the audit log', async () => {
    const createdKey = JSON.parse((await run('create', '--name', 'ci', '--json')).stdout);

    const { code, stdout } = await run('revoke', createdKey.id);

    expect({ code, stdout }).toEqual({ code: 0, stdout: `Revoked ${createdKey.id}.\n` });
    expect(await status(createdKey.key)).toBe(401);
    const { data } = (await service.call('GET', '/v1/audit-log')).json();
    expect(data.map(({ action }: { action: string }) => action)).toEqual([
      'api_key.revoked',
      'api_key.created',
    ]);
  });

  test('exits with 5 for an unknown key, and with 2 for a scope that there is not', async () => {
    const unknown = await run('revoke', 'none');
    const wrong = await run('create', '--name', 'a', '--scope', 'some');

    expect(unknown.code).toBe(5);
    expect(unknown.stderr).toMatch(/^There is no key with the id 'none'/);
    expect(wrong.code).toBe(2);
  });
});

test('keys of another machine need the admin password', async () => {
  const { code, stderr } = await troupe(['key', 'list', '--url', service.url]);

  expect(code).toBe(4);
  expect(stderr).toContain('TROUPE_ADMIN_PASSWORD');
});

test('creates nothing in a folder where no service was started', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'troupe-key-'));
  const env = { DATA_DIR: path.join(folder, 'data') };

  const { code, stdout, stderr } = await troupe(['key', 'create', '--name', 'a'], { env });

  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toContain(`There are no records in ${env.DATA_DIR}`);
  expect(await readdir(folder)).toEqual([]);
  await rm(folder, { recursive: true });
});

test('a wrong setting is one sentence', async () => {
  const { code, stderr } = await troupe(['key', 'list'], { env: { PORT: 'many' } });

  expect(code).toBe(2);
  expect(stderr).toMatch(/^Configuration: PORT must be integer\. .*\n$/);
});
