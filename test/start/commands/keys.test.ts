import { appendFileSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { keyIdOf } from '../../../src/records/engine/encryption/keyring.ts';
import { newKey } from '../../../src/records/keys/key-source.ts';
import { REFRESH_MS } from '../../../src/records/keys/key-upkeep.ts';
import { keys } from '../../../src/start/commands/keys.ts';
import { makeAccount, TROUPE_ADMIN_PASSWORD } from '../../support/api/admin.ts';
import { auditLogOf } from '../../support/api/audit-log.ts';
import { buildApp, type BuiltApp } from '../../support/api/build-app.ts';
import { newAgent } from '../../support/api/resources.ts';
import { until } from '../../support/until.ts';
import { call, runProgram } from './run-command.ts';

let service: BuiltApp;
const run = (...args: string[]) => call(keys, args, service.place.env);
/** Lines of the list, without its head. */
const list = async () =>
  (await run('list')).stdout
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.split(/ +/));
const keyPath = () => path.join(service.place.dataDir, 'secret.key');
const keyFile = () => readFileSync(keyPath(), 'utf8');

describe('npm run keys', () => {
  beforeEach(async () => {
    service = await buildApp({ slots: 0, env: { TROUPE_ADMIN_PASSWORD } });
  });
  afterEach(() => service.close());

  test('rotates the key of the running service, which re-encrypts its records', async () => {
    const id = await newAgent(service, { system_prompt: 'Sell shoes.' });
    const [[old, state, values] = []] = await list();
    expect(state).toBe('current');

    const { stdout, stderr, status } = await runProgram('keys', ['rotate'], service.place.env);
    expect({ stderr, status }).toEqual({ stderr: '', status: 0 });
    const nextId = stdout.slice(0, 8);
    expect(await run('remove', old!)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('still needed'),
    });
    await until(async () => {
      service.clock.advance(REFRESH_MS);
      return (await list()).some((row) => row[1] === 'retired');
    });

    expect(await list()).toEqual([
      [old, 'retired', '0'],
      [nextId, 'current', values],
    ]);
    expect(await run('remove', old!)).toMatchObject({ status: 0, stderr: '' });
    expect(keyFile().trim().split('\n')).toHaveLength(1);
    const agent = (await service.call('GET', `/v1/agents/${id}`)).json();
    expect(agent).toMatchObject({ system_prompt: 'Sell shoes.' });
  });

  test('records rotations and removals in the audit log, for operators', async () => {
    const unused = newKey();
    const rotated = (await run('rotate')).stdout.slice(0, 8);
    appendFileSync(keyPath(), `${unused.toString('base64')}\n`);
    await run('remove', keyIdOf(unused));
    await run('remove', rotated);

    const { headers } = await makeAccount(service, 'free', 'operator');
    const { data } = await auditLogOf(service, headers).read('?limit=50');

    const change = { account_id: null, actor: { type: 'command', id: null, name: 'npm run keys' } };
    expect(
      data.filter(({ action }: { action: string }) => action.startsWith('secret_key')),
    ).toEqual([
      expect.objectContaining({
        ...change,
        action: 'secret_key.removed',
        target_id: keyIdOf(unused),
      }),
      expect.objectContaining({ ...change, action: 'secret_key.rotated', target_id: rotated }),
    ]);
  });

  test('prints a new key', async () => {
    const { stdout } = await run('new');

    expect(Buffer.from(stdout, 'base64')).toHaveLength(32);
    expect(keyFile()).not.toContain(stdout.trim());
  });

  test('explains in one line how to rotate keys of the environment', async () => {
    const env = { ...service.place.env, TROUPE_SECRET_KEY: keyFile().trim() };

    const { stderr, status } = await call(keys, ['rotate'], env);

    expect(status).toBe(1);
    expect(stderr).toMatch(/^TROUPE_SECRET_KEY has no unused key\. Append one .*\n$/);
  });

  test('names a missing key in one line', async () => {
    const env = { ...service.place.env, TROUPE_SECRET_KEY: Buffer.alloc(32).toString('base64') };

    const { stderr, status } = await call(keys, ['list'], env);

    expect(status).toBe(1);
    expect(stderr).toMatch(
      /^The records are encrypted with the secret key [0-9a-f]{8}, which is missing\. .*\n$/,
    );
  });
});

describe('the arguments of npm run keys', () => {
  test.each([[['rotate', 'a']], [['remove']], [['turn']], [[]]])('rejects %j', async (args) => {
    // Refused before the records are opened.
    expect((await call(keys, args)).status).toBe(2);
  });
});
