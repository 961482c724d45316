import { spawnSync } from 'node:child_process';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Browser, codeOf } from '../../support/api/browser.ts';
import { buildApp, type BuiltApp } from '../../support/api/build-app.ts';

let service: BuiltApp;
beforeEach(async () => {
  service = await buildApp({ slots: 0 });
});
afterEach(() => service.close());

const runKey = (...args: string[]) =>
  spawnSync(process.execPath, ['src/start/commands/key.ts', ...args], {
    env: { ...process.env, ...service.place.env },
    encoding: 'utf8',
  });

describe('npm run key', () => {
  test('prints a key that the running service accepts at once', async () => {
    const { stdout, status } = runKey('--name', 'my laptop');

    expect(status).toBe(0);
    expect(stdout).toMatch(/^troupe_\w{40}\n$/);
    const headers = { 'x-api-key': stdout.trim() };
    const reply = await service.call('GET', '/v1/auth/verify', { headers });
    expect(reply.statusCode).toBe(204);
  });

  test('is recorded in the audit log', async () => {
    runKey('--name', 'my laptop');

    const { data } = (await service.call('GET', '/v1/audit-log')).json();

    expect(data).toEqual([
      expect.objectContaining({
        actor: { type: 'command', id: null, name: 'npm run key' },
        address: null,
        action: 'api_key.created',
        target_id: expect.any(String),
      }),
    ]);
  });

  test('lists keys and revokes them', async () => {
    const key = runKey('--name', 'my laptop').stdout.trim();
    const [id = ''] = /^\S+(?=.* valid .*my laptop$)/m.exec(runKey('list').stdout) ?? [];

    const revoked = runKey('revoke', id);
    service.clock.advance(1_000);

    expect(revoked).toMatchObject({ status: 0, stdout: `${id} is revoked.\n` });
    const reply = await service.call('GET', '/v1/auth/verify', { headers: { 'x-api-key': key } });
    expect(reply.statusCode).toBe(401);
    expect(runKey('list').stdout).toMatch(/ revoked .*my laptop$/m);
    expect(runKey('revoke', 'nobody').status).toBe(1);
  });

  test('prints a link to the console that opens it once, as owner', async () => {
    const code = codeOf(runKey('console').stdout.trim());
    const open = () => new Browser(service).call('POST', '/console/api/links/use', { code });

    expect((await open()).json()).toMatchObject({ role: 'owner', is_operator: true });
    expect((await open()).statusCode).toBe(404);
    expect(runKey('console', '--name', 'nobody').stderr).toContain(
      'There is nobody called nobody.',
    );
  });

  test('makes an operator key', async () => {
    const { stdout } = runKey('--name', 'keda', '--scope', 'operator');

    const headers = { 'x-api-key': stdout.trim() };
    expect((await service.call('GET', '/v1/fleet/pressure', { headers })).statusCode).toBe(200);
    expect((await service.call('GET', '/v1/sessions', { headers })).statusCode).toBe(403);
  });

  test('makes a key with limits', async () => {
    const limits = ['--expires', '2999-01-31', '--networks', '127.0.0.0/8,2001:db8::/32'];
    const { stdout } = runKey('--name', 'ci', '--scopes', 'calls:read, usage:read', ...limits);

    const database = service.place.open();
    const row = await database
      .selectFrom('api_keys')
      .select(['scopes', 'expires_at', 'allowed_networks'])
      .where('name', '=', 'ci')
      .executeTakeFirstOrThrow();
    await database.destroy();
    expect(row).toEqual({
      scopes: '["calls:read","usage:read"]',
      expires_at: Date.parse('2999-01-31'),
      allowed_networks: '["127.0.0.0/8","2001:db8::/32"]',
    });
    const headers = { 'x-api-key': stdout.trim() };
    expect((await service.call('GET', '/v1/usage', { headers })).statusCode).toBe(200);
    expect((await service.call('GET', '/v1/sessions', { headers })).statusCode).toBe(403);
  });

  test.each([
    { limit: ['--scopes', 'everything'], says: 'everything' },
    { limit: ['--scopes', 'fleet:read'], says: 'fleet:read' },
    { limit: ['--scopes', ','], says: '--scopes is empty' },
    { limit: ['--expires', '2020-01-31'], says: 'in the future' },
    { limit: ['--expires', 'tomorrow'], says: 'in the future' },
    { limit: ['--expires', '2999-01-31T12:00'], says: 'in the future' },
    { limit: ['--networks', '10.0.0'], says: '--networks holds 10.0.0' },
    { limit: ['--networks', ''], says: '--networks is empty' },
  ])('rejects $limit', ({ limit, says }) => {
    const { stdout, stderr, status } = runKey('--name', 'ci', ...limit);

    expect({ stdout, status }).toEqual({ stdout: '', status: 2 });
    expect(stderr.split('\n')[0]).toContain(says);
  });

  test('rejects an unknown scope', () => {
    expect(runKey('--name', 'a', '--scope', 'some').status).toBe(2);
  });

  test('requires a name', () => {
    const { stdout, stderr, status } = runKey();

    expect({ stdout, status }).toEqual({ stdout: '', status: 2 });
    expect(stderr).toContain('--name');
  });
});
