import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openDatabase } from '../../src/records/database.ts';
import { migrate } from '../../src/records/migrate.ts';
import { Lists } from '../../src/records/pages.ts';
import { createSeal, secretKey } from '../../src/records/sealed.ts';
import { sessionRecords } from '../../src/records/sessions.ts';

const writer = fileURLToPath(new URL('insert-until-killed.ts', import.meta.url));

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(path.join(tmpdir(), 'troupe-kill-'));
});
afterEach(() => rmSync(dataDir, { recursive: true }));

describe('records of a killed process', () => {
  test('hold everything that was recorded, kill after kill', { timeout: 60_000 }, async () => {
    const said = [...(await writeUntilKilled(40)), ...(await writeUntilKilled(75))];

    expect(said.length).toBeGreaterThanOrEqual(115);
    const db = openDatabase({ dataDir });
    expect(await migrate(db)).toEqual([]);
    const secret = secretKey(undefined, dataDir);
    const live = await sessionRecords(db, createSeal(secret), new Lists(secret)).live();
    const found = new Map(live.map((session) => [session.id, session]));
    for (const id of said) {
      expect(found.get(id)).toMatchObject({ status: 'ongoing', roomToken: `token of ${id}` });
    }
    await db.destroy();
    const file = new DatabaseSync(path.join(dataDir, 'troupe.sqlite'));
    expect(file.prepare('pragma integrity_check').get()?.['integrity_check']).toBe('ok');
    file.close();
  });
});

/** Kills the writer, with no warning, as soon as it has said this many ids; returns all that it said. */
async function writeUntilKilled(count: number): Promise<string[]> {
  const child = spawn(process.execPath, [writer], {
    env: { ...process.env, DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  child.stdout.on('data', (chunk) => {
    text += String(chunk);
    if (text.split('\n').length > count) child.kill('SIGKILL');
  });
  await once(child, 'close');
  expect(child.signalCode).toBe('SIGKILL');
  // The last line may have been cut off by the kill.
  return text.split('\n').slice(0, -1);
}
