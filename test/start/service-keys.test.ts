import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { keptKeys } from '../../src/start/service-keys.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'troupe-keys-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe('service keys', () => {
  test('are created once, readable by their owner only', async () => {
    const dataDir = path.join(folder, 'data');

    const firstResult = keptKeys(dataDir);
    const secondResult = keptKeys(dataDir);

    expect(firstResult.keys.mediaServerSecret.length).toBeGreaterThanOrEqual(32);
    expect(secondResult.keys).toEqual(firstResult.keys);
    expect([firstResult.isNewSecret, secondResult.isNewSecret]).toEqual([true, false]);
    expect((await stat(path.join(dataDir, 'service-keys.json'))).mode & 0o777).toBe(0o600);
  });

  test('name a corrupt file in the error', async () => {
    await writeFile(path.join(folder, 'service-keys.json'), '{');

    expect(() => keptKeys(folder)).toThrow(/service-keys\.json cannot be read/);
  });
});
