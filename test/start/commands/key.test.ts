import { spawnSync } from 'node:child_process';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
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

  test('makes an operator key', async () => {
    const { stdout } = runKey('--name', 'keda', '--scope', 'operator');

    const headers = { 'x-api-key': stdout.trim() };
    expect((await service.call('GET', '/v1/fleet/pressure', { headers })).statusCode).toBe(200);
    expect((await service.call('GET', '/v1/sessions', { headers })).statusCode).toBe(403);
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
