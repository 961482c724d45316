import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { openDatabase } from '../../src/records/database.ts';
import { migrate } from '../../src/records/migrate.ts';

test("SQLite's files are readable by their owner only", async () => {
  const parent = mkdtempSync(path.join(tmpdir(), 'troupe-records-'));
  const dataDir = path.join(parent, 'data');
  const db = openDatabase({ dataDir });
  await migrate(db);

  const modeOf = (file: string) => statSync(path.join(dataDir, file)).mode & 0o777;
  expect(modeOf('.')).toBe(0o700);
  for (const suffix of ['', '-wal', '-shm']) expect(modeOf(`troupe.sqlite${suffix}`)).toBe(0o600);
  await db.destroy();
  rmSync(parent, { recursive: true });
});
