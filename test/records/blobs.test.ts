import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { anAgent } from '../support/api/agent.ts';
import { accountRecords } from '../../src/records/accounts/accounts.ts';
import { DEFAULT_APPEARANCE } from '../../src/records/agents/agent-settings.ts';
import { agentRecords } from '../../src/records/agents/agents.ts';
import { avatarRecords } from '../../src/records/avatars/avatars.ts';
import { filesIn, noFiles } from '../../src/records/engine/blob-files.ts';
import { blobRecords, hashOf, type Blobs } from '../../src/records/blobs.ts';
import type { Database } from '../../src/records/engine/database.ts';
import { Lists } from '../../src/records/engine/pages.ts';
import { newDatabase } from '../support/records/database.ts';
import { newAvatar } from '../support/api/new-avatar.ts';
import { testEncryptor } from '../support/records/encryptor.ts';

const HOUR = 3_600_000;
const bytes = Uint8Array.from([0, 255, 128, 10, 0]);

let db: Database;
let folder: string;
beforeEach(async () => {
  db = await newDatabase();
  folder = path.join(mkdtempSync(path.join(tmpdir(), 'troupe-blobs-')), 'blobs');
});
afterEach(async () => {
  await db.destroy();
  rmSync(path.dirname(folder), { recursive: true });
});

/** Inserts an avatar that refers to the blobs. */
async function referTo(pictureHash: string, backgroundHash: string): Promise<void> {
  const { id: accountId } = await accountRecords(db).first(0);
  const avatar = newAvatar({ accountId, pictureHash, backgroundHash });
  await avatarRecords(db, new Lists(randomBytes(32))).insert(avatar);
}

describe.each(['in rows', 'in files'])('blobs %s', (where) => {
  let blobs: Blobs;
  beforeEach(() => {
    blobs = blobRecords(db, testEncryptor(), where === 'in rows' ? noFiles : filesIn(folder));
  });

  test('are stored once under their hash, byte for byte', async () => {
    const hash = await blobs.put(bytes, 0);
    expect(await blobs.put(bytes, 1)).toBe(hash);

    expect(hash).toBe(hashOf(bytes));
    expect([...(await blobs.read(hash))!]).toEqual([...bytes]);
    expect(await db.selectFrom('blobs').select(['hash', 'size', 'kept_at']).execute()).toEqual([
      { hash, size: 5, kept_at: 1 },
    ]);
  });

  test('are not found under another name', async () => {
    expect(await blobs.read(hashOf(Uint8Array.from([1])))).toBeNull();
  });

  test('are deleted only when unreferenced', async () => {
    const [picture, background, unused] = [
      await blobs.put(bytes, 0),
      await blobs.put(Buffer.from('background'), 0),
      await blobs.put(Buffer.from('other'), 0),
    ];
    await referTo(picture, background);

    await blobs.release([picture, background, unused, unused]);

    expect(await blobs.read(picture)).not.toBeNull();
    expect(await blobs.read(background)).not.toBeNull();
    expect(await blobs.read(unused)).toBeNull();
  });

  test('are not deleted while an agent shows them as its logo', async () => {
    const logoHash = await blobs.put(bytes, 0);
    const { id: accountId } = await accountRecords(db).first(0);
    const agents = agentRecords(db, testEncryptor(), new Lists(randomBytes(32)));
    const appearance = { ...DEFAULT_APPEARANCE, logoHash };
    const agent = anAgent({ accountId, createdAt: 0, appearance });
    await agents.insert(agent);

    await blobs.release([logoHash]);
    await blobs.sweep(2 * HOUR);
    expect(await blobs.read(logoHash)).not.toBeNull();

    await agents.delete(accountId, agent.id);
    await blobs.release([logoHash]);
    expect(await blobs.read(logoHash)).toBeNull();
  });

  test('are swept after an hour without a reference', async () => {
    const picture = await blobs.put(bytes, 0);
    const background = await blobs.put(Buffer.from('background'), 0);
    const old = await blobs.put(Buffer.from('old'), 0);
    const young = await blobs.put(Buffer.from('young'), HOUR);
    await referTo(picture, background);

    await blobs.sweep(HOUR + 1);

    expect(await blobs.read(old)).toBeNull();
    expect(await blobs.read(young)).not.toBeNull();
    expect(await blobs.read(picture)).not.toBeNull();
    expect(await blobs.read(background)).not.toBeNull();
  });

  test('return when put again', async () => {
    const hash = await blobs.put(bytes, 0);
    await blobs.release([hash]);

    await blobs.put(bytes, 0);

    expect(await blobs.read(hash)).not.toBeNull();
  });
});

describe('blob files', () => {
  test('are complete or absent: a failed put leaves nothing', async () => {
    const blobs = blobRecords(db, testEncryptor(), filesIn(folder));
    await blobs.put(bytes, 0);

    // Not a valid value for the column.
    await expect(blobs.put(Buffer.from('other'), Number.NaN)).rejects.toThrow();

    expect(readdirSync(folder)).toEqual([hashOf(bytes)]);
  });

  test('left by a killed process are swept', async () => {
    const blobs = blobRecords(db, testEncryptor(), filesIn(folder));
    const hash = await blobs.put(bytes, Date.now());
    for (const name of ['staged-by-a-killed-process', hashOf(Buffer.from('no row'))]) {
      writeFileSync(path.join(folder, name), 'left');
    }
    writeFileSync(path.join(folder, 'staged-just-now'), 'in work');
    for (const name of readdirSync(folder)) {
      if (name !== 'staged-just-now') utimesSync(path.join(folder, name), 1, 1);
    }

    await blobs.sweep(Date.now());

    expect(readdirSync(folder).sort()).toEqual([hash, 'staged-just-now'].sort());
  });
});
