import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { key } from '../../../src/start/commands/key.ts';
import { FIRST_ACCOUNT } from '../../support/api/admin.ts';
import { Browser, codeOf } from '../../support/api/browser.ts';
import { buildApp, type BuiltApp } from '../../support/api/build-app.ts';
import { call, runProgram } from './run-command.ts';

let service: BuiltApp;
const runKey = (...args: string[]) => call(key, args, service.place.env);

describe('npm run key', () => {
  beforeEach(async () => {
    service = await buildApp({ slots: 0 });
  });
  afterEach(() => service.close());

  test('prints a key that the running service accepts at once', async () => {
    const { stdout, status } = await runProgram('key', ['--name', 'my laptop'], service.place.env);

    expect(status).toBe(0);
    expect(stdout).toMatch(/^troupe_\w{40}\n$/);
    const headers = { 'x-api-key': stdout.trim() };
    const reply = await service.call('GET', '/v1/auth/verify', { headers });
    expect(reply.statusCode).toBe(204);
  });

  test('is recorded in the audit log', async () => {
    await runKey('--name', 'my laptop');

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
    const { stdout } = await runKey('--name', 'my laptop');
    const headers = { 'x-api-key': stdout.trim() };
    const list = async () => (await runKey('list')).stdout;
    const [id = ''] = /^\S+(?=.* valid .*my laptop$)/m.exec(await list()) ?? [];

    const revoked = await runKey('revoke', id);
    service.clock.advance(1_000);

    expect(revoked).toMatchObject({ status: 0, stdout: `${id} is revoked.\n` });
    const reply = await service.call('GET', '/v1/auth/verify', { headers });
    expect(reply.statusCode).toBe(401);
    expect(await list()).toMatch(/ revoked .*my laptop$/m);
    expect((await runKey('revoke', 'nobody')).status).toBe(1);
  });

  test('prints a link to the console that opens it once, as owner', async () => {
    const code = codeOf((await runKey('console')).stdout.trim());
    const open = () => new Browser(service).call('POST', '/console/api/links/use', { code });

    expect((await open()).json()).toMatchObject({ role: 'owner', is_operator: true });
    expect((await open()).statusCode).toBe(404);
    expect((await runKey('console', '--name', 'nobody')).stderr).toContain(
      'There is no person called nobody.',
    );
  });

  test('asks for the account where several have a person of the name', async () => {
    const owner = await new Browser(service).openHere();
    const { id } = (await owner.call('POST', '/admin/accounts', { name: 'other' })).json();
    for (const account_id of [FIRST_ACCOUNT, id]) {
      const body = { account_id, role: 'owner' };
      const { link } = (await owner.call('POST', '/admin/invitations', body)).json();
      await new Browser(service).join(link, 'ada');
    }

    const several = await runKey('console', '--name', 'ada');
    const { stdout } = await runKey('console', '--name', 'ada', '--account', id);
    const code = codeOf(stdout.trim());
    const opened = await new Browser(service).call('POST', '/console/api/links/use', { code });

    expect(several.status).toBe(1);
    expect(several.stderr).toContain(`--account ${FIRST_ACCOUNT}, --account ${id}`);
    expect(opened.json()).toMatchObject({ name: 'ada', account: { id } });
  });

  test('makes an operator key', async () => {
    const { stdout } = await runKey('--name', 'keda', '--scope', 'operator');

    const headers = { 'x-api-key': stdout.trim() };
    expect((await service.call('GET', '/v1/fleet/pressure', { headers })).statusCode).toBe(200);
    expect((await service.call('GET', '/v1/sessions', { headers })).statusCode).toBe(403);
  });

  test('makes a key with limits', async () => {
    const limits = ['--expires', '2999-01-31', '--networks', '127.0.0.0/8,2001:db8::/32'];
    const { stdout } = await runKey(
      '--name',
      'ci',
      '--scopes',
      'calls:read, usage:read',
      ...limits,
    );

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
});

describe('the arguments of npm run key', () => {
  test.each([
    { limit: ['--scopes', 'everything'], says: 'everything' },
    { limit: ['--scopes', 'fleet:read'], says: 'fleet:read' },
    { limit: ['--scopes', ','], says: '--scopes is empty' },
    { limit: ['--expires', '2020-01-31'], says: 'in the future' },
    { limit: ['--expires', 'tomorrow'], says: 'in the future' },
    { limit: ['--expires', '2999-01-31T12:00'], says: 'in the future' },
    { limit: ['--networks', '10.0.0'], says: '--networks holds 10.0.0' },
    { limit: ['--networks', ''], says: '--networks is empty' },
  ])('rejects $limit', async ({ limit, says }) => {
    const { stdout, stderr, status } = await call(key, ['--name', 'ci', ...limit]);

    expect({ stdout, status }).toEqual({ stdout: '', status: 2 });
    expect(stderr.split('\n')[0]).toContain(says);
  });

  test('rejects an unknown scope', async () => {
    expect((await call(key, ['--name', 'a', '--scope', 'some'])).status).toBe(2);
  });

  test('requires a name', async () => {
    const { stdout, stderr, status } = await call(key, []);

    expect({ stdout, status }).toEqual({ stdout: '', status: 2 });
    expect(stderr).toContain('--name');
  });
});
