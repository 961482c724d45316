import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { makeAccount, TROUPE_ADMIN_PASSWORD } from '../../support/api/admin.ts';
import { buildApp, type BuiltApp } from '../../support/api/build-app.ts';
import { troupe } from '../run-troupe.ts';

let service: BuiltApp;
beforeEach(async () => {
  service = await buildApp({ slots: 0, env: { TROUPE_ADMIN_PASSWORD } });
});
afterEach(() => service.close());

const env = () => ({ TROUPE_URL: service.url, TROUPE_ADMIN_PASSWORD });
const run = (...args: string[]) => troupe(['domain', ...args], { env: env() });

describe('troupe domain', () => {
  test('gives a domain to the first account, and takes it away', async () => {
    const added = await run('add', 'Example.com', '--role', 'builder');
    const list = await run('list');
    const removed = await run('remove', 'Example.com');

    expect(added).toMatchObject({ code: 0, stdout: 'People of example.com join as builder.\n' });
    expect(list.stdout).toMatch(/^example\.com +builder +\d/m);
    expect(removed).toMatchObject({ code: 0, stdout: 'Removed example.com.\n' });
    expect(JSON.parse((await run('list', '--json')).stdout)).toEqual({ data: [] });
  });

  test('gives one domain to one account', async () => {
    const { id } = await makeAccount(service, 'free');
    await run('add', 'example.com', '--account', id);

    const second = await run('add', 'example.com');
    const elsewhere = await run('remove', 'example.com');

    expect(second.code).toBe(1);
    expect(second.stderr).toContain('An account already has this domain.');
    expect(elsewhere.code).toBe(5);
    expect((await run('list', '--account', id)).stdout).toMatch(/^example\.com +viewer /m);
  });

  test('refuses what is no domain, or no role', async () => {
    expect((await run('add', 'ada@example.com')).code).not.toBe(0);
    expect((await run('add', 'example.com', '--role', 'king')).code).not.toBe(0);
    expect((await run('list')).stdout).not.toContain('example.com');
  });

  test('needs the admin password', async () => {
    const { code, stderr } = await troupe(['domain', 'list', '--url', service.url]);

    expect(code).toBe(4);
    expect(stderr).toContain('TROUPE_ADMIN_PASSWORD');
  });
});
