import { globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { FAULTS } from './faults.ts';

const read = (file: string): string => readFileSync(file, 'utf8');

/** Read as text: the checks load the media engine. */
const checks = globSync('test/conformance/checks/*.ts')
  .map((file) => /^ {2}name: '(.+)',$/m.exec(read(file))![1]!)
  .sort();

describe('the checks of the conformance kit', () => {
  test('each have a worker that breaks them', () => {
    expect([...new Set(FAULTS.map(([, check]) => check))].sort()).toEqual(checks);
  });

  test('are explained in the documentation', () => {
    const page = read('src/web/docs/pages/reference/worker-protocol.md');
    const [, table = ''] = /^\| Check \|.*\n.*\n((?:\|.*\n)+)/m.exec(page) ?? [];

    const explained = [...table.matchAll(/^\| `([\w-]+)` \|/gm)].map(([, name]) => name!);

    expect(explained.sort()).toEqual(checks);
  });
});

describe('broken workers', () => {
  test('are all tried', () => {
    const program = read('test/deploy/conformance/broken_worker.py');
    const faults = [...program.matchAll(/^@fault\ndef (\w+)\(\):/gm)].map(([, name]) => name);

    expect(FAULTS.map(([fault]) => fault)).toEqual(faults);
  });
});

describe('the example worker', () => {
  test('has at most 150 lines', () => {
    const lines = read('deploy/examples/python-worker/worker.py').trimEnd().split('\n');

    expect(lines.length).toBeLessThanOrEqual(150);
  });
});
