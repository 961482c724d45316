import { spawnSync } from 'node:child_process';
import { readCommand } from '#shared/process/command-line.ts';

readCommand({
  usage: `Usage: npm run check

Checks formatting (oxfmt), lint rules (oxlint), types (tsc) and that THIRD_PARTY_NOTICES is up to date. \`npm run format\` repairs the
formatting, \`npm run notices\` the notices.`,
});

// npm has put node_modules/.bin on the PATH.
const checks =
  'oxfmt --check && oxlint && tsc && node src/start/commands/generate/notices.ts --check';
const { status } = spawnSync(checks, { shell: true, stdio: 'inherit' });
process.exitCode = status ?? 1;
