import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Backdrops } from '../../../workers/avatar/backdrops.ts';
import { encodeBackground } from '../../../workers/bundle/background-file.ts';
import { BlobUnavailable } from '../../../workers/runtime/blobs.ts';

const picture = (value: number) => ({
  width: 32,
  height: 16,
  i420: new Uint8Array(32 * 16 * 1.5).fill(value),
});
const HASH = 'a'.repeat(64);
const name = (digit: number) => `${digit}`.repeat(64);

let folder: string;
let fetched: string[];
let blobs: Map<string, Uint8Array>;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'troupe-backgrounds-'));
  fetched = [];
  blobs = new Map([[HASH, await encodeBackground(picture(9))]]);
});
afterEach(() => rm(folder, { recursive: true }));

const open = () =>
  new Backdrops({
    folder: pathToFileURL(`${folder}/`),
    blobs: {
      async get(hash) {
        fetched.push(hash);
        const bytes = blobs.get(hash);
        if (!bytes) throw new BlobUnavailable('gone');
        return bytes;
      },
    },
  });

test('are the own room without a wish, and need no picture for most kinds', async () => {
  const backdrops = open();

  expect(await backdrops.open(undefined)).toEqual({ kind: 'own' });
  for (const background of [
    { kind: 'blur' },
    { kind: 'colour', colour: '#102030' },
    { kind: 'transparent' },
  ] as const)
    expect(await backdrops.open(background)).toEqual(background);
});

test('are pictures that ship with the software', async () => {
  await writeFile(path.join(folder, 'office.background'), await encodeBackground(picture(3)));

  const backdrop = await open().open({ kind: 'picture', picture: 'office' });

  expect(backdrop).toMatchObject({ kind: 'picture', picture: { width: 32, height: 16 } });
  expect(fetched).toEqual([]);
});

test('are uploaded pictures, fetched once', async () => {
  const backdrops = open();

  const opened = await Promise.all(
    [0, 1].map(() => backdrops.open({ kind: 'picture', picture: HASH })),
  );

  expect(opened[0]).toEqual({ kind: 'picture', picture: expect.objectContaining({ width: 32 }) });
  expect(opened[1]).toEqual(opened[0]);
  expect(fetched).toEqual([HASH]);
});

test('are fetched again after a failure, and after others were used', async () => {
  const backdrops = open();
  const bytes = blobs.get(HASH)!;
  await expect(backdrops.open({ kind: 'picture', picture: name(1) })).rejects.toMatchObject({
    name: 'CannotPerform',
  });

  for (let digit = 1; digit <= 5; digit++) {
    blobs.set(name(digit), bytes);
    await backdrops.open({ kind: 'picture', picture: name(digit) });
  }
  await backdrops.open({ kind: 'picture', picture: name(5) });
  await backdrops.open({ kind: 'picture', picture: name(1) });

  expect(fetched).toEqual([1, 1, 2, 3, 4, 5, 1].map(name));
});

test('reject a damaged file with CannotPerform', async () => {
  blobs.set(HASH, Buffer.from('no picture'));

  await expect(open().open({ kind: 'picture', picture: HASH })).rejects.toMatchObject({
    name: 'CannotPerform',
    cause: expect.objectContaining({ name: 'BundleError' }),
  });
});
