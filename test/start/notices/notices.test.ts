import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { LOCKFILES, noticesOf } from '../../../src/start/notices/notices.ts';

const lockOf = (packages: object): string => JSON.stringify({ packages: { '': {}, ...packages } });

describe('the third-party notices', () => {
  test('are up to date', () => {
    const written = readFileSync('THIRD_PARTY_NOTICES', 'utf8');

    // After a change of the lockfile, run `npm run notices`.
    expect(noticesOf(LOCKFILES.map((lockfile) => readFileSync(lockfile, 'utf8')))).toBe(written);
  });

  test('list each production package once, under its licence', () => {
    const notices = noticesOf([
      lockOf({
        'node_modules/a': { version: '1.0.0', license: 'MIT' },
        'node_modules/b/node_modules/a': { version: '1.0.0', license: 'MIT' },
        'node_modules/@x/b': { version: '2.0.0', license: 'MPL-2.0' },
        'node_modules/dev': { version: '3.0.0', license: 'MIT', dev: true },
      }),
      lockOf({ 'node_modules/page': { version: '4.0.0', license: 'MIT' } }),
    ]);

    expect(notices.match(/^ {2}a 1\.0\.0$/gm)).toHaveLength(1);
    expect(notices).toMatch(/^MPL-2\.0\nThe style sheet compiler[^]*?\n {2}@x\/b 2\.0\.0$/m);
    expect(notices).toMatch(/^ {2}page 4\.0\.0$/m);
    expect(notices).not.toContain('dev 3.0.0');
  });

  test.each([
    { license: 'AGPL-3.0', named: 'c (AGPL-3.0)' },
    { license: undefined, named: 'c (none named)' },
  ])('refuse a licence that nobody has reviewed: $named', ({ license, named }) => {
    const lock = lockOf({ 'node_modules/c': { version: '1.0.0', license } });

    expect(() => noticesOf([lock])).toThrow(named);
  });
});
