import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { hashOfSources } from '../../src/start/pages.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'troupe-pages-'));
});
afterEach(() => rm(root, { recursive: true }));

async function write(file: string, text: string): Promise<void> {
  const target = path.join(root, file);
  await mkdir(path.dirname(target), { recursive: true });
  await writeFile(target, text);
}

describe('the pages', () => {
  test.each([
    'package-lock.json',
    'src/web/try/main.tsx',
    'src/protocol/room-terms.ts',
    'deploy/helm/README.md',
  ])('are built again after a change to %s', async (file) => {
    await write('package-lock.json', '{}');
    await write(file, 'before');
    const before = await hashOfSources(root);

    await write(file, 'after');

    expect(await hashOfSources(root)).not.toBe(before);
  });

  test('are not built again after a build', async () => {
    await write('package-lock.json', '{}');
    const before = await hashOfSources(root);

    await write('src/web/dist/index.html', 'built');

    expect(await hashOfSources(root)).toBe(before);
  });
});
