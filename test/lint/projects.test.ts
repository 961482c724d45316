import { globSync } from 'node:fs';
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

describe('the vitest projects', () => {
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
