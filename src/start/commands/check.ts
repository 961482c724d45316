import { spawnSync } from 'node:child_process';
import { readCommand } from '#shared/command-line.ts';

readCommand({
  usage: `Usage: npm run check

Checks formatting (oxfmt), lint rules (oxlint) and types (tsc). \`npm run format\` repairs the formatting.`,
});

// npm has put node_modules/.bin on the PATH.
const { status } = spawnSync('oxfmt --check && oxlint && tsc', { shell: true, stdio: 'inherit' });
process.exitCode = status ?? 1;
