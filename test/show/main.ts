/* Process entry of `npm run screenshots`. */
import { startVitest } from 'vitest/node';
import { readCommand } from '#shared/process/command-line.ts';

readCommand({
  usage: `Usage: npm run screenshots

Makes pictures of every page and state of the console, the room page, the try page and the documentation in dist/screenshots.`,
});

// It sets the exit code.
const run = await startVitest('test', [], { run: true, config: 'test/show/screenshots.config.ts' });
await run.close();
