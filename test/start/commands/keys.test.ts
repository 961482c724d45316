import { appendFileSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { keyIdOf } from '../../../src/records/engine/keyring.ts';
import { keyRecords } from '../../../src/records/keys/key-records.ts';
import { newKey } from '../../../src/records/keys/key-source.ts';
import { REFRESH_MS } from '../../../src/records/keys/key-upkeep.ts';
import { makeAccount, TROUPE_ADMIN_PASSWORD } from '../../support/api/admin.ts';
import { auditLogOf } from '../../support/api/audit-log.ts';
import { buildApp, type BuiltApp } from '../../support/api/build-app.ts';
import { newAgent } from '../../support/api/resources.ts';
import { until } from '../../support/until.ts';
import { runCommand } from './run-command.ts';

let service: BuiltApp;
beforeEach(async () => {
  service = await buildApp({ slots: 0, env: { TROUPE_ADMIN_PASSWORD } });
});
afterEach(() => service.close());

const run = (...args: string[]) => runCommand('keys', args, service.place.env);
/** Lines of the list, without its head. */
const list = () =>
  run('list')
    .stdout.trim()
    .split('\n')
    .slice(1)
    .map((line) => line.split(/ +/));
const keyPath = () => path.join(service.place.dataDir, 'secret.key');
const keyFile = () => readFileSync(keyPath(), 'utf8');

describe('npm run keys', () => {
  test('rotates the key of the running service, which re-encrypts its records', async () => {
    const id = await newAgent(service, { system_prompt: 'Sell shoes.' });
    const [[old, state, values] = []] = list();
    expect(state).toBe('current');

    const { stdout, stderr, status } = run('rotate');
    expect({ stderr, status }).toEqual({ stderr: '', status: 0 });
    const next = stdout.slice(0, 8);
    expect(run('remove', old!)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('still needed'),
    });
    // The command blocks the process in which the service re-encrypts, so it is not what is polled.
    const database = service.place.open();
    await until(async () => {
      service.clock.advance(REFRESH_MS);
      return (await keyRecords(database).list()).some(({ retiredAt }) => retiredAt !== null);
    });
    await database.destroy();

    expect(list()).toEqual([
      [old, 'retired', '0'],
      [next, 'current', values],
    ]);
    expect(run('remove', old!)).toMatchObject({ status: 0, stderr: '' });
    expect(keyFile().trim().split('\n')).toHaveLength(1);
    const agent = (await service.call('GET', `/v1/agents/${id}`)).json();
    expect(agent).toMatchObject({ system_prompt: 'Sell shoes.' });
  });

  test('records rotations and removals in the audit log, for operators', async () => {
    const unused = newKey();
    const rotated = run('rotate').stdout.slice(0, 8);
    appendFileSync(keyPath(), `${unused.toString('base64')}\n`);
    run('remove', keyIdOf(unused));
    run('remove', rotated);

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

  test('prints a new key', () => {
    const { stdout } = run('new');

    expect(Buffer.from(stdout, 'base64')).toHaveLength(32);
    expect(keyFile()).not.toContain(stdout.trim());
  });

  test('explains in one line how to rotate keys of the environment', () => {
    const env = { ...service.place.env, TROUPE_SECRET_KEY: keyFile().trim() };

    const { stderr, status } = runCommand('keys', ['rotate'], env);

    expect(status).toBe(1);
    expect(stderr).toMatch(/^TROUPE_SECRET_KEY has no unused key\. Append one .*\n$/);
  });

  test('names a missing key in one line', () => {
    const env = { ...service.place.env, TROUPE_SECRET_KEY: Buffer.alloc(32).toString('base64') };

    const { stderr, status } = runCommand('keys', ['list'], env);

    expect(status).toBe(1);
    expect(stderr).toMatch(
      /^The records are encrypted with the secret key [0-9a-f]{8}, which is missing\. .*\n$/,
    );
  });

  test.each([[['rotate', 'a']], [['remove']], [['turn']], [[]]])('rejects %j', (args) => {
    expect(run(...args).status).toBe(2);
  });
});
