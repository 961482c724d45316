import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { LEFT_OUT, packedData, packedScripts } from '../../../src/start/build/package-files.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

test('the package holds what its sources import, and none of the tools of the repository', async () => {
  const scripts = await packedScripts(root);

  expect([...scripts.keys()]).toEqual(
    expect.arrayContaining(['src/start/service.js', 'src/cli/main.js', 'workers/avatar/main.js']),
  );
  expect([...scripts.keys()].filter((file) => /\/(studio|web|generate)\//.test(file))).toEqual([]);
});

test('the package holds the avatars, and nothing of other packages', async () => {
  const data = await packedData(root);

  expect(data.filter((file) => file.includes('nora'))).not.toEqual([]);
  expect(data.filter((file) => file.startsWith('src/clients/'))).toEqual([]);
});

test('all that the package leaves out exists', () => {
  expect(LEFT_OUT.filter((name) => !existsSync(path.join(root, name)))).toEqual([]);
});
