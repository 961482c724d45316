/* The tables of security name tests and pages: each must exist. */
import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const ROOT = new URL('../../', import.meta.url);
const FILES = ['SECURITY.md', 'src/web/docs/pages/operate/asvs.md'];

/** Paths of files that a table names in `code`, with a folder or in capitals. */
const pathsIn = (markdown: string): string[] =>
  markdown
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .flatMap((line) => [...line.matchAll(/`([\w.-]+(?:\/[\w.-]+)*\.(?:ts|md))`/g)])
    .map(([, path]) => path!);

const missing = (markdown: string): string[] =>
  pathsIn(markdown).filter((path) => !existsSync(new URL(path, ROOT)));

test.each(FILES)('names files that exist: %s', (file) => {
  const markdown = readFileSync(new URL(file, ROOT), 'utf8');

  expect(pathsIn(markdown).length).toBeGreaterThan(40);
  expect(missing(markdown)).toEqual([]);
});

test('names a file that does not exist', () => {
  expect(missing('| who | `test/security/nothing.test.ts`, `SECURITY.md` |')).toEqual([
    'test/security/nothing.test.ts',
  ]);
});
