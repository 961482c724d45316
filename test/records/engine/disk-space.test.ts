import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openDatabase } from '../../../src/records/engine/database.ts';
import { diskSpace } from '../../../src/records/engine/disk-space.ts';
import { hasSmallDisks, SmallDisk } from '../../support/processes/small-disk.ts';

const MIB = 1024 ** 2;

const db = openDatabase('memory');
afterAll(() => db.destroy());

const failing = () => Promise.reject(new Error('no'));

// Needs root on Linux, to mount a small file system (test/support/processes/small-disk.ts says so).
describe.skipIf(!hasSmallDisks)('the reserve on a disk of 8 MiB', () => {
  let disk: SmallDisk;
  let reusable: number;
  let warnings: number;
  beforeEach(() => {
    disk = new SmallDisk(8);
    reusable = 0;
    warnings = 0;
  });
  afterEach(() => disk.close());

  const open = (minFreeBytes: number) =>
    diskSpace({
      folder: disk.folder,
      minFreeBytes,
      db,
      reusableBytes: async () => reusable,
      log: { warn: () => void (warnings += 1) },
    });
  const write = (name: string, bytes: number) => () =>
    writeFile(path.join(disk.folder, name), Buffer.alloc(bytes));
  const full = { fault: 'storage_full', status: 507 };

  test('is not touched by a write', async () => {
    const space = open(4 * MIB);

    await space.holdFile(3 * MIB, write('first', 3 * MIB));
    const second = space.holdFile(2 * MIB, write('second', 2 * MIB));

    await expect(second).rejects.toMatchObject(full);
    expect(disk.freeBytes).toBeGreaterThanOrEqual(4 * MIB);
    await expect(space.check()).resolves.toBeUndefined();
  });

  test('is not touched by concurrent writes that would each fit', async () => {
    const space = open(2 * MIB);

    const names = ['a', 'b', 'c', 'd', 'e', 'f'];
    const writes = names.map((name) => space.holdFile(2 * MIB, write(name, 2 * MIB)));
    const results = await Promise.allSettled(writes);

    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
    expect(disk.freeBytes).toBeGreaterThanOrEqual(2 * MIB);
  });

  test('counts what failed writes held as free again', async () => {
    const space = open(4 * MIB);

    for (let tries = 0; tries < 3; tries += 1) {
      await expect(space.holdRows(3 * MIB, db, failing)).rejects.toThrow('no');
    }

    await expect(space.holdRows(3 * MIB, db, async () => 'kept')).resolves.toBe('kept');
  });

  test('warns once until there is room again', async () => {
    const space = open(4 * MIB);
    for (let rounds = 0; rounds < 2; rounds += 1) {
      disk.fill(3 * MIB);
      for (let tries = 0; tries < 3; tries += 1) {
        await expect(space.check()).rejects.toMatchObject(full);
      }
      disk.relieve();
      await space.check();
    }

    expect(warnings).toBe(2);
  });

  test('lets rows reuse what deleted rows left, but not files', async () => {
    const space = open(4 * MIB);
    disk.fill(3 * MIB);
    await expect(space.check()).rejects.toMatchObject(full);

    reusable = 3 * MIB;

    await expect(space.holdRows(2 * MIB, db, async () => 'kept')).resolves.toBe('kept');
    await expect(space.holdRows(3 * MIB, db, async () => 'kept')).rejects.toMatchObject(full);
    await expect(space.holdFile(0, async () => 'kept')).rejects.toMatchObject(full);
    disk.fill(MIB);
    await expect(space.holdRows(0, db, async () => 'kept')).rejects.toMatchObject(full);
  });
});
