import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
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

test('scripts of the package have the lines of their sources, and no blanks where types were', async () => {
  const scripts = await packedScripts(root);
  const script = scripts.get('src/app.js')!.split('\n');
  const source = (await readFile(path.join(root, 'src/app.ts'), 'utf8')).split('\n');

  expect(script).toHaveLength(source.length);
  expect(script.filter((line) => /^ +$/.test(line))).toEqual([]);
  expect(script.findIndex((line) => line.startsWith('export async function createApp'))).toBe(
    source.findIndex((line) => line.startsWith('export async function createApp')),
  );
});

test('the package holds the avatars, and nothing of other packages', async () => {
  const data = await packedData(root);

  expect(data.filter((file) => file.includes('nora'))).not.toEqual([]);
  expect(data.filter((file) => file.startsWith('src/clients/'))).toEqual([]);
});

test('all that the package leaves out exists', () => {
  expect(LEFT_OUT.filter((name) => !existsSync(path.join(root, name)))).toEqual([]);
});
