import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readSettingsFile } from '#shared/process/settings-file.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'troupe-settings-'));
});
afterEach(() => rm(folder, { recursive: true }));

async function read(text: string | null, env: Record<string, string> = {}) {
  const file = path.join(folder, 'settings');
  if (text !== null) await writeFile(file, text);
  const loaded: string[] = [];
  const load = (name: string) => void loaded.push(name);
  return { file, loaded, settings: readSettingsFile({ TROUPE_ENV_FILE: file, ...env }, load) };
}

describe('a settings file', () => {
  test('is loaded; settings of the environment win', async () => {
    const { file, loaded, settings } = await read('PORT=1\n# a remark\nHOST="x y"\n', {
      HOST: 'a',
    });

    expect(settings).toEqual({ file, taken: ['PORT'], ignored: ['HOST'] });
    expect(loaded).toEqual([file]);
  });

  test('that TROUPE_ENV_FILE names must exist', async () => {
    await expect(read(null)).rejects.toThrow(/settings file .* cannot be read \(ENOENT\): correct/);
  });

  test('is optional otherwise', () => {
    const env = { TROUPE_ENV_FILE: '' };

    expect(readSettingsFile(env, () => {}, folder)).toBeNull();
  });
});
