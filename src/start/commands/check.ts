import { spawnSync } from 'node:child_process';
import { readCommand } from '#shared/process/command-line.ts';

readCommand({
  usage: `Usage: npm run check

Checks formatting (oxfmt), lint rules (oxlint), types (tsc), that THIRD_PARTY_NOTICES is up to date, that all packages are pinned with
checksums, and that none has a known severe weakness (\`npm run audit\`). \`npm run format\` repairs the formatting, \`npm run notices\` the notices.`,
});

// npm has put node_modules/.bin on the PATH.
const checks = [
  'oxfmt --check',
  'oxlint',
  'tsc',
  'node src/start/commands/generate/notices.ts --check',
  'vitest run --config test/vitest.config.ts --project unit --reporter dot test/lint/pinned-packages.test.ts test/lint/python-packages.test.ts',
  'node src/start/commands/audit.ts',
];
const { status } = spawnSync(checks.join(' && '), { shell: true, stdio: 'inherit' });
process.exitCode = status ?? 1;
