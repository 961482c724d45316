import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { backedUpTables } from '../../src/records/backup/tables.ts';
import { rowsOf, withSnapshot } from '../../src/records/backup/snapshot.ts';
import type { Database } from '../../src/records/engine/database.ts';
import { buildApp, type BuiltApp } from '../support/api/build-app.ts';
import { addPrivateData, PRIVATE } from '../support/api/private-data.ts';

let service: BuiltApp;
let db: Database;
let paths: string[];
beforeAll(async () => {
  service = await buildApp();
  db = service.place.open();
  paths = await addPrivateData(service);
});
afterAll(async () => {
  await db.destroy();
  await service.close();
});

/** All stored bytes, by where they lie. */
async function allStored(): Promise<Map<string, Buffer>> {
  const values = new Map<string, Buffer>();
  await withSnapshot(db, async (snapshot) => {
    for (const table of backedUpTables) {
      let number = 0;
      for await (const row of rowsOf(snapshot, table)) {
        number += 1;
        for (const [column, value] of Object.entries(row)) {
          if (value === null || typeof value === 'number') continue;
          values.set(`${table.name}.${column} ${number}`, Buffer.from(value as string));
        }
      }
    }
  });
  for (const entry of readdirSync(service.place.dataDir, {
    recursive: true,
    withFileTypes: true,
  })) {
    if (!entry.isFile()) continue;
    const file = path.join(entry.parentPath, entry.name);
    values.set(file, readFileSync(file));
  }
  return values;
}

describe('records at rest', () => {
  test('hold no private text or picture in clear', async () => {
    const stored = await allStored();

    for (const [where, bytes] of stored) {
      for (const [name, text] of Object.entries(PRIVATE)) {
        expect(bytes.includes(text), `${name} in ${where}`).toBe(false);
      }
    }
    const read = await Promise.all(paths.map((each) => service.call('GET', each)));
    const answers = read.map(({ body }) => body).join('\n');
    for (const name of [
      'prompt',
      'knowledge',
      'userName',
      'userEmail',
      'tag',
      'line',
      'comment',
      'bot',
    ] as const) {
      expect(answers).toContain(PRIVATE[name]);
    }
  });
});
