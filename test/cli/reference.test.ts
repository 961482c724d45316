import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { createProgram } from '../../src/cli/program.ts';
import { reference } from '../../src/cli/reference.ts';
import type { CliContext } from '../../src/cli/cli-context.ts';

test('src/cli/REFERENCE.md is what the commands say of themselves: npm run cli-reference', async () => {
  const program = createProgram({ options: {} } as CliContext);

  expect(reference(program)).toBe(await readFile('src/cli/REFERENCE.md', 'utf8'));
});
