import { globSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { select } from './selection.ts';

const tests = globSync('test/{http,lint,records,web,workers}/**/*.test.ts');
const files = new Set(globSync('{src,test,workers}/**/*', { exclude: ['**/node_modules/**'] }));
const lint = tests.filter((file) => file.startsWith('test/lint/')).sort();

const selected = (...changed: string[]) => select(changed, tests, files).tests;

describe('a change selects', () => {
  test('tests that import the file, also by an alias, and no other', () => {
    const tests = selected('src/shared/ids.ts');

    expect(tests).toContain('test/http/sessions/session-routes.test.ts');
    expect(tests).not.toContain('test/records/engine/encryption/encryptor.test.ts');
  });

  test('tests that read the file', () => {
    expect(selected('workers/avatar/avatars/catalog.json')).toContain(
      'test/http/sessions/session-routes.test.ts',
    );
  });

  test('a changed test, beside those that read the whole repository', () => {
    const changed = 'test/http/errors/errors.test.ts';

    expect(selected(changed)).toEqual([changed, ...lint].sort());
  });

  test('all tests when it concerns how they run, and says so', () => {
    expect(select(['test/vitest.config.ts'], tests, files)).toEqual({
      tests: [...tests].sort(),
      notes: ['test/vitest.config.ts, which no test imports: all tests.'],
    });
  });

  test('the tests of its folder when nobody names the file, and says so', () => {
    const { tests: selectedTests, notes } = select(
      ['src/web/docs/pages/new-page.md'],
      tests,
      files,
    );

    expect(selectedTests).toContain('test/web/docs/compose/inline-parts.test.ts');
    expect(selectedTests).not.toContain('test/http/errors/errors.test.ts');
    expect(notes).toEqual(['src/web/docs/pages/new-page.md, which no test imports: test/web/.']);
  });

  test('nothing when it is empty', () => {
    expect(selected()).toEqual([]);
  });
});
