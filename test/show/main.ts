/* Process entry of `npm run screenshots`. */
import { readCommand } from '#shared/process/command-line.ts';

const { positionals } = readCommand({
  usage: `Usage: npm run screenshots [-- NAME ...]

Makes pictures of every page and state of the console, the room page, the try page and the documentation in dist/screenshots. Build the
pages first: npm run build:pages
  NAME  part of the name of a picture, as console-home: only those`,
  positionals: { min: 0, max: Number.POSITIVE_INFINITY },
});

// A development package, and `--help` needs none.
const { startVitest } = await import('vitest/node');
// It sets the exit code.
const run = await startVitest('test', [], {
  run: true,
  config: 'test/show/screenshots.config.ts',
  ...(positionals.length > 0 && { testNamePattern: positionals.join('|') }),
});
await run.close();
