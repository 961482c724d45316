import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { BundleCache } from '../../../workers/avatar/bundle-cache.ts';
import { buildBundle } from '../../../workers/bundle/build.ts';
import { BlobUnavailable, nameOf } from '../../../workers/runtime/blobs.ts';
import { quietLog } from '../../support/fleet/control-plane.ts';
import { drawnPictures } from '../../support/picture/drawn-face.ts';
import { settle, TestClock } from '../../support/test-clock.ts';
import { until } from '../../support/until.ts';

const [mira, otto] = await Promise.all([
  buildBundle(drawnPictures(), 'Mira', 'quick'),
  buildBundle(drawnPictures(), 'Otto', 'quick'),
]);
const [MIRA, OTTO] = [nameOf(mira), nameOf(otto)];
const GARBAGE = nameOf(Buffer.from('garbage'));

let folder: string;
let clock: TestClock;
let got: string[];
let stored: Map<string, Uint8Array>;
let caches: BundleCache[];

beforeEach(() => {
  folder = path.join(mkdtempSync(path.join(tmpdir(), 'troupe-cache-')), 'bundles');
  // File times are compared with the clock.
  clock = new TestClock();
  got = [];
  stored = new Map([
    [MIRA, mira],
    [OTTO, otto],
    [GARBAGE, Buffer.from('garbage')],
  ]);
  caches = [];
});
afterEach(() => {
  for (const cache of caches) cache.close();
  expect(clock.waiting, 'timers left').toBe(0);
  rmSync(path.dirname(folder), { recursive: true });
});

function open(maxBytes = Infinity): BundleCache {
  const cache = new BundleCache({
    folder,
    maxBytes,
    blobs: {
      async get(hash) {
        got.push(hash);
        const bytes = stored.get(hash);
        if (!bytes) throw new BlobUnavailable('gone');
        return bytes;
      },
    },
    clock,
    log: quietLog,
  });
  caches.push(cache);
  return cache;
}

describe('bundle cache', () => {
  test('fetches and opens a bundle once for all sessions', async () => {
    const cache = open();

    const [firstUse, second] = await Promise.all([cache.show(MIRA), cache.show(MIRA)]);

    expect(firstUse.bundle).toBe(second.bundle);
    expect(firstUse.bundle.face.manifest.name).toBe('Mira');
    expect(got).toEqual([MIRA]);
    expect(readdirSync(folder)).toEqual([MIRA]);
  });

  test('keeps bundles across restarts', async () => {
    await open().show(MIRA);

    await open().show(MIRA);

    expect(got).toEqual([MIRA]);
  });

  test('fetches a bundle again when its file was changed', async () => {
    await open().show(MIRA);
    writeFileSync(path.join(folder, MIRA), mira.subarray(0, 1_000));

    const { bundle } = await open().show(MIRA);

    expect(bundle.face.manifest.name).toBe('Mira');
    expect(got).toEqual([MIRA, MIRA]);
  });

  test('closes an unused bundle after a while', async () => {
    const cache = open();
    const firstUse = await cache.show(MIRA);
    firstUse.release();
    firstUse.release();
    clock.advance(59_000);
    const second = await cache.show(MIRA);
    expect(second.bundle).toBe(firstUse.bundle);

    clock.advance(120_000);
    second.release();
    clock.advance(60_000);
    await settle();

    expect((await cache.show(MIRA)).bundle).not.toBe(firstUse.bundle);
  });

  test('deletes the least recently used files beyond its size limit', async () => {
    const cache = open(mira.length + otto.length - 1);
    await cache.show(MIRA);
    clock.advance(10_000);

    await cache.show(OTTO);

    expect(readdirSync(folder)).toEqual([OTTO]);
  });

  test('deletes files unused for a day', async () => {
    const cache = open();
    (await cache.show(MIRA)).release();
    clock.advance(23 * 3_600_000);
    await cache.show(OTTO);
    expect(readdirSync(folder).sort()).toEqual([MIRA, OTTO].sort());

    clock.advance(2 * 3_600_000);

    await until(() => readdirSync(folder).length === 1);
    expect(readdirSync(folder)).toEqual([OTTO]);
  });

  test('keeps a single bundle larger than the limit', async () => {
    await open(1).show(MIRA);

    expect(readdirSync(folder)).toEqual([MIRA]);
  });

  test('retries an unavailable bundle for the next session', async () => {
    stored.delete(MIRA);
    const cache = open();
    await expect(cache.show(MIRA)).rejects.toThrow('gone');
    stored.set(MIRA, mira);

    expect((await cache.show(MIRA)).bundle.face.manifest.name).toBe('Mira');
    expect(readdirSync(folder)).toEqual([MIRA]);
  });

  test('rejects blobs that are not bundles', async () => {
    await expect(open().show(GARBAGE)).rejects.toThrow('not an avatar bundle');
  });
});
