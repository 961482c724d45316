import { globSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { createVitest } from 'vitest/node';

const root = path.join(import.meta.dirname, '../..');

describe('the vitest projects', () => {
  test('run every test file', async () => {
    const config = path.join(root, 'test/vitest.config.ts');
    const vitest = await createVitest('test', { config, watch: false });
    const found = await vitest.globTestSpecifications();
    await vitest.close();

    const run = new Set(found.map(({ moduleId }) => path.relative(root, moduleId)));
    const files = globSync('test/**/*.test.ts', { cwd: root, exclude: ['**/node_modules/**'] });
    expect(files.filter((file) => !run.has(file))).toEqual([]);
  });
});
