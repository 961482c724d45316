import { spawnSync } from 'node:child_process';
import { readCommand } from '#shared/process/command-line.ts';

readCommand({
  usage: `Usage: npm run api-examples

Records the requests and answers that the API reference shows, from a service of this version. Tests then compare them.`,
});

// The test that compares them writes them with --update. npm has put node_modules/.bin on the PATH.
const write =
  'vitest run --config test/vitest.config.ts --project unit test/web/docs/api/recorded-examples.test.ts -t curl --update';
const { status } = spawnSync(write, { shell: true, stdio: 'inherit' });
process.exitCode = status ?? 1;
