import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { backup } from '../../../src/start/commands/backup.ts';
import { restore } from '../../../src/start/commands/restore.ts';
import { buildApp, type BuiltApp } from '../../support/api/build-app.ts';
import { addPrivateData, PRIVATE } from '../../support/api/private-data.ts';
import { newPlace, type Place } from '../../support/records/database.ts';
import { call, runProgram } from './run-command.ts';

let service: BuiltApp;
let empty: Place;
let folder: string;
let paths: string[];
beforeEach(async () => {
  service = await buildApp();
  empty = await newPlace({ isBare: true });
  folder = path.join(mkdtempSync(path.join(tmpdir(), 'troupe-backup-')), 'backup');
  paths = await addPrivateData(service);
});
afterEach(async () => {
  await service.close();
  await empty.remove();
  rmSync(path.dirname(folder), { recursive: true });
});

const answersOf = (from: BuiltApp) =>
  Promise.all(paths.map(async (each) => (await from.call('GET', each)).json()));

describe('npm run backup and npm run restore', () => {
  test('move a running service to an empty installation', async () => {
    const answersBefore = await answersOf(service);

    const saved = await runProgram('backup', [folder], service.place.env);
    const keyFile = path.join(service.place.dataDir, 'secret.key');
    const env = { ...empty.env, TROUPE_SECRET_KEY_FILE: keyFile };
    const restored = await runProgram('restore', [folder], env);

    expect(saved).toMatchObject({ stderr: '', status: 0 });
    expect(saved.stdout).toMatch(/Keep the secret keys [0-9a-f]{8} \(.*secret\.key\) elsewhere/);
    expect(restored).toMatchObject({ stderr: '', status: 0 });
    const copy = await buildApp({ place: empty, env: { TROUPE_SECRET_KEY_FILE: keyFile } });
    expect(await answersOf(copy)).toEqual(answersBefore);
    const picture = paths
      .find((each) => each.startsWith('/v1/avatars/'))!
      .split('/')
      .at(-1);
    const [reply, copyReply] = await Promise.all(
      [service, copy].map((each) => each.call('GET', `/avatars/${picture}/picture`)),
    );
    expect(copyReply?.rawPayload).toEqual(reply?.rawPayload);
    expect(copyReply?.statusCode).toBe(200);
    await copy.close();
  });

  test('keep private text encrypted and leave the key out', async () => {
    await call(backup, [folder], service.place.env);

    const key = readFileSync(path.join(service.place.dataDir, 'secret.key'), 'utf8').trim();
    const { stdout, status } = grep([...Object.values(PRIVATE), key]);
    expect({ stdout, status }).toEqual({ stdout: '', status: 1 });
  });

  test('add the key on request, and restore it', async () => {
    await call(backup, [folder, '--with-keys'], service.place.env);

    const { status, stderr } = await call(restore, [folder], empty.env);

    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(readFileSync(path.join(empty.dataDir, 'secret.key'))).toEqual(
      readFileSync(path.join(service.place.dataDir, 'secret.key')),
    );
  });

  test('name the missing key in one line', async () => {
    await call(backup, [folder], service.place.env);

    const { status, stderr } = await call(restore, [folder], empty.env);

    expect(status).toBe(1);
    expect(stderr).toMatch(/^The backup needs the secret keys [0-9a-f]{8}\. Add them to .*\n$/);
    expect(existsSync(path.join(empty.dataDir, 'secret.key'))).toBe(false);
  });

  test('refuse a folder in use in one line', async () => {
    await call(backup, [folder], service.place.env);

    const { status, stderr } = await call(backup, [folder], service.place.env);

    expect({ status, stderr }).toEqual({ status: 1, stderr: `${folder} is not empty.\n` });
  });
});

const grep = (texts: string[]) => {
  const patterns = texts.flatMap((text) => ['-e', text]);
  const { stdout, status } = spawnSync('grep', ['-rlF', ...patterns, folder], { encoding: 'utf8' });
  return { stdout, status };
};
