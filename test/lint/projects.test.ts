import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { createVitest, type TestSpecification } from 'vitest/node';

const root = path.join(import.meta.dirname, '../..');

let specifications: TestSpecification[];
let ordered: TestSpecification[];
beforeAll(async () => {
  const config = path.join(root, 'test/vitest.config.ts');
  const vitest = await createVitest('test', { config, watch: false });
  specifications = await vitest.globTestSpecifications();
  const { sequencer: Sequencer } = vitest.config.sequence;
  ordered = await new Sequencer(vitest).sort(specifications);
  await vitest.close();
});

const nameOf = ({ moduleId }: TestSpecification) => path.relative(root, moduleId);

/** `a/{b,c}` names `a/b` and `a/c`. */
function alternativesOf(pattern: string): string[] {
  const [, start, names, end] = /^([^{]*)\{([^{}]*)\}(.*)$/.exec(pattern) ?? [];
  if (names === undefined) return [pattern];
  return names.split(',').flatMap((name) => alternativesOf(`${start}${name}${end}`));
}

describe('the vitest projects', () => {
  test('name only files that exist', () => {
    const config = readFileSync(path.join(root, 'test/vitest.config.ts'), 'utf8');
    const patterns = [...config.matchAll(/'(test\/[^']+\.test\.ts)'/g)].map(
      ([, pattern]) => pattern!,
    );

    const unmatched = patterns
      .flatMap(alternativesOf)
      .filter((pattern) => globSync(pattern, { cwd: root }).length === 0);

    expect(patterns.length).toBeGreaterThan(20);
    expect(unmatched).toEqual([]);
  });

  test('run every test file', () => {
    const run = new Set(specifications.map(nameOf));
    const files = globSync('test/**/*.test.ts', { cwd: root, exclude: ['**/node_modules/**'] });
    expect(files.filter((file) => !run.has(file))).toEqual([]);
  });

  test('start the longest file on PostgreSQL first', () => {
    const [firstFile] = ordered.filter((file) => file.project.name === 'postgresql');

    expect(nameOf(firstFile!)).toContain('/control-planes');
    expect(ordered).toHaveLength(specifications.length);
  });
});
