import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openDatabase } from '../../src/records/database.ts';
import { migrate } from '../../src/records/migrate.ts';

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(path.join(tmpdir(), 'troupe-records-'));
});
afterEach(() => rmSync(dataDir, { recursive: true }));

describe('migrations', () => {
  test('run once', async () => {
    const db = openDatabase({ dataDir });

    const first = await migrate(db);
    const second = await migrate(db);

    expect(first).toEqual(['0001-accounts-and-sessions', '0002-whole-interface']);
    expect(second).toEqual([]);
    await db.destroy();
  });

  test('run once although two processes start together', async () => {
    const both = await Promise.all([runMigrate(dataDir), runMigrate(dataDir)]);

    expect(both.sort()).toEqual([
      '0001-accounts-and-sessions\n0002-whole-interface\n',
      'The records are up to date.\n',
    ]);
  });

  test('leave the records readable by their owner only', async () => {
    const db = openDatabase({ dataDir });
    await migrate(db);

    expect(statSync(path.join(dataDir, 'troupe.sqlite')).mode & 0o777).toBe(0o600);
    await db.destroy();
  });
});

async function runMigrate(dataDir: string): Promise<string> {
  const env = { ...process.env, DATA_DIR: dataDir };
  const { stdout } = await promisify(execFile)(process.execPath, ['src/commands/migrate.ts'], {
    env,
  });
  return stdout;
}
