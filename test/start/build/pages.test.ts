import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { hashOfDocs } from '../../../src/start/build/docs.ts';
import { hashOfPages } from '../../../src/start/build/pages.ts';

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

const builds = [
  {
    what: 'the pages',
    hash: hashOfPages,
    sources: [
      'src/web/packages/package-lock.json',
      'src/web/try/main.tsx',
      'src/protocol/room-terms.ts',
    ],
    others: [
      'src/web/docs/pages/start/index.md',
      'src/web/dist/index.html',
      'src/web/packages/node_modules/vite/package.json',
    ],
  },
  {
    what: 'the documentation',
    hash: hashOfDocs,
    sources: [
      'package.json',
      'src/web/docs/pages/start/index.md',
      'src/web/docs/site/package-lock.json',
      'src/http/sessions/session-schemas.ts',
      'src/errors.ts',
      'deploy/helm/README.md',
      '.env.example',
    ],
    others: [
      'src/web/dist/docs/index.html',
      'src/web/docs/site/node_modules/astro/package.json',
      'src/web/docs/site/dist/openapi.json',
      'src/web/try/main.tsx',
    ],
  },
];

describe.each(builds)('$what', ({ hash, sources, others }) => {
  test.each(sources)('are built again after a change to %s', async (file) => {
    await write(file, 'before');
    const firstHash = await hash(root);

    await write(file, 'after');

    expect(await hash(root)).not.toBe(firstHash);
  });

  test.each(others)('are not built again after a change to %s', async (file) => {
    await write('package.json', '{}');
    const firstHash = await hash(root);

    await write(file, 'changed');

    expect(await hash(root)).toBe(firstHash);
  });
});
