import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { RuleTester } from 'oxlint/plugins-dev';
import { afterAll, describe, test } from 'vitest';
import plugin from './plugin.mjs';

RuleTester.describe = describe;
RuleTester.it = test;

const { rules } = plugin;
const words = (columns: number) => 'word '.repeat(columns).slice(0, columns);

new RuleTester().run('comment-width', rules['comment-width'], {
  valid: [
    `// ${words(97)}`,
    `/** https://example.com/${'a'.repeat(100)} */`,
    `const text = '${words(110)}';`,
  ],
  invalid: [
    `// ${words(98)}`,
    `/*\n * short\n * ${words(110)}\n */`,
    `const text = 'a'; // ${words(110)}`,
  ].map((code) => ({ code, errors: 1 })),
});

const members = (count: number) =>
  `{ ${Array.from({ length: count }, (_, i) => `part${i}: string`).join('; ')} }`;

new RuleTester({ languageOptions: { parserOptions: { lang: 'ts' } } }).run(
  'option-parts',
  rules['option-parts'],
  {
    valid: [
      `type AppOptions = ${members(8)};`,
      `type AppOptions = ${members(4)} & ${members(4)};`,
      `type Agent = ${members(9)};`,
      'type AppParts = string;',
    ],
    invalid: [
      `type AppOptions = ${members(9)};`,
      `type AppParts = ${members(4)} & Pick<App, 'log'> & ${members(5)};`,
    ].map((code) => ({ code, errors: 1 })),
  },
);

const folders = mkdtempSync(path.join(tmpdir(), 'folder-size-'));
afterAll(() => rmSync(folders, { recursive: true }));

function folderOf(count: number): string {
  const folder = mkdtempSync(path.join(folders, 'folder-'));
  for (let i = 0; i < count; i += 1) writeFileSync(path.join(folder, `${10 + i}.ts`), '');
  return folder;
}
const crowded = folderOf(21);
const styled = folderOf(20);
writeFileSync(path.join(styled, '00.css'), '');

new RuleTester().run('folder-size', rules['folder-size'], {
  valid: [
    { code: '', filename: path.join(folderOf(20), '10.ts') },
    { code: '', filename: path.join(crowded, '11.ts') },
  ],
  invalid: [crowded, styled].map((folder) => ({
    code: '',
    filename: path.join(folder, '10.ts'),
    errors: 1,
  })),
});
