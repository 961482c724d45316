/* Process entry of `npm run cli-reference`. */
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { systemClock } from '#shared/clock.ts';
import { readCommand } from '#shared/process/command-line.ts';
import { createProgram } from './program.ts';
import { reference } from './reference.ts';

readCommand({
  usage: `Usage: npm run cli-reference

Writes src/cli/REFERENCE.md: what \`troupe --help\` says of every command, as Markdown.`,
});

const program = createProgram({
  env: {},
  clock: systemClock,
  stdout: process.stdout,
  stderr: process.stderr,
  signal: new AbortController().signal,
  open: async () => {},
  options: {},
});
const file = fileURLToPath(new URL('REFERENCE.md', import.meta.url));
await writeFile(file, reference(program));
