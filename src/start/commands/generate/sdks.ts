import { spawnSync } from 'node:child_process';
import { readCommand } from '#shared/process/command-line.ts';

readCommand({
  usage: `Usage: npm run sdks

Writes the generated parts of the clients in src/clients, from the OpenAPI document of this version.`,
});

// The test that compares them writes them with --update. npm has put node_modules/.bin on the PATH.
const write =
  'vitest run --config test/vitest.config.ts --project unit test/clients/generated.test.ts --update';
const { status } = spawnSync(write, { shell: true, stdio: 'inherit' });
process.exitCode = status ?? 1;
