import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { buildApp, type BuiltApp } from '../../support/api/build-app.ts';
import { newPlace } from '../../support/records/database.ts';
import { troupe } from '../run-troupe.ts';

let service: BuiltApp;
let folder: string;
beforeEach(async () => {
  service = await buildApp({ slots: 0 });
  folder = await mkdtemp(path.join(tmpdir(), 'troupe-backup-'));
});
afterEach(async () => {
  await service.close();
  await rm(folder, { recursive: true });
});

const run = (...args: string[]) => troupe(['backup', ...args], { env: service.place.env });

describe('troupe backup', () => {
  test('copies the records of a running service', async () => {
    const { code, stdout } = await run(folder);

    expect(code).toBe(0);
    expect(stdout).toMatch(
      new RegExp(`^${folder}: [1-9]\\d* rows and 0 blobs\\.\nKeep the secret`),
    );
    const manifest = JSON.parse(await readFile(path.join(folder, 'manifest.json'), 'utf8'));
    expect(manifest.tables).toEqual(
      expect.arrayContaining([expect.objectContaining({ rows: expect.any(Number) })]),
    );
  });

  test('copies no records of a folder where no service was started', async () => {
    const place = await newPlace({ isBare: true });
    const env = { DATA_DIR: path.join(place.dataDir, 'none') };

    const { code, stderr } = await troupe(['backup', folder], { env });
    await place.remove();

    expect(code).toBe(1);
    expect(stderr).toContain(`There are no records in ${env.DATA_DIR}`);
    expect(await readdir(folder)).toEqual([]);
  });

  test('prints JSON', async () => {
    const { stdout } = await run(folder, '--with-keys', '--json');

    expect(JSON.parse(stdout)).toMatchObject({ folder, blobs: 0, has_keys: true });
  });

  test('refuses a folder that is not empty', async () => {
    await run(folder);
    const { code, stdout, stderr } = await run(folder);

    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain(folder);
    expect(stderr).not.toMatch(/^ +at /m);
  });
});

describe('troupe restore', () => {
  test('brings a backup into empty records, and refuses others', async () => {
    const { rows } = JSON.parse((await run(folder, '--with-keys', '--json')).stdout) as {
      rows: number;
    };
    const empty = await newPlace();
    const restore = () => troupe(['restore', folder], { env: empty.env });

    const firstRun = await restore();
    const secondRun = await restore();
    await empty.remove();

    expect(firstRun.code).toBe(0);
    expect(firstRun.stdout).toMatch(new RegExp(`^Restored ${rows} rows and 0 blobs of `));
    expect(secondRun).toMatchObject({ code: 1, stdout: '' });
    expect(secondRun.stderr).toContain('The records are not empty');
  });
});
