import { describe, expect, test } from 'vitest';
import { problemsOf } from './build.ts';

const SDK = ['LICENSE', 'README.md', 'package.json', 'dist/index.js', 'dist/index.d.ts'];
const WHEEL = ['troupe_sdk/__init__.py', 'troupe_sdk/py.typed'];
const INFO = ['PKG-INFO', 'troupe_sdk.dist-info/METADATA', 'troupe_sdk.dist-info/licenses/LICENSE'];

const sdk = (holds: string[]) =>
  problemsOf({ client: 'typescript', archives: [{ file: 'out/troupe-sdk.tgz', holds }] });
const python = (wheel: string[], kinds = ['.whl', '.tar.gz']) =>
  problemsOf({
    client: 'python',
    archives: kinds.map((kind) => ({ file: `out/troupe_sdk${kind}`, holds: wheel })),
  });

describe('a package', () => {
  test('with all that its users import may be published', async () => {
    expect(await sdk(SDK)).toEqual([]);
    expect(await python([...WHEEL, ...INFO])).toEqual([]);
  });

  test('without its code, types or licence may not', async () => {
    expect(await sdk(['README.md', 'package.json', 'dist/index.js'])).toEqual([
      'troupe-sdk.tgz lacks LICENSE',
      'troupe-sdk.tgz lacks dist/index.d.ts',
    ]);
    expect(await python(INFO)).toContain('troupe_sdk.whl lacks py.typed');
  });

  test('with what only this repository needs may not', async () => {
    expect(await sdk([...SDK, 'tsconfig.json', 'node_modules/a/index.js'])).toEqual([
      'troupe-sdk.tgz holds tsconfig.json',
      'troupe-sdk.tgz holds node_modules/a/index.js',
    ]);
  });

  test('for PyPI has a wheel and its sources', async () => {
    expect(await python([...WHEEL, ...INFO], ['.whl'])).toEqual(['python has .whl, not .whl .gz']);
  });
});
