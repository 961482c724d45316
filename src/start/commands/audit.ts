import { spawn } from 'node:child_process';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { readCommand } from '#shared/process/command-line.ts';
import { isSevere, lineOf, readAudit, type AuditReport } from '../audit/npm-audit.ts';
import { LOCKFILES } from '../notices/notices.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

const { values } = readCommand({
  usage: `Usage: npm run audit [-- --required]

Asks the registry for known weaknesses of the packages that an installation has. Exit code: 1 for a high or critical one.
  --required   also fail if the registry does not answer audits, as some mirrors do`,
  options: { required: { type: 'boolean' } },
});

/** One attempt: a machine without a network must not wait. */
const NPM_AUDIT = [
  'audit',
  '--json',
  '--omit=dev',
  '--package-lock-only',
  '--fetch-retries=0',
  '--fetch-timeout=10000',
];

async function audit(lockfile: string): Promise<AuditReport> {
  const npm = spawn('npm', NPM_AUDIT, {
    cwd: path.join(ROOT, path.dirname(lockfile)),
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return readAudit(await text(npm.stdout));
}

for (const lockfile of LOCKFILES) {
  const report = await audit(lockfile);
  if (report.type === 'unavailable') {
    process.stdout.write(`${lockfile} was not audited: ${report.reason}\n`);
    if (values.required) process.exitCode = 1;
    continue;
  }
  const { weakPackages } = report;
  const summary = weakPackages.length === 0 ? 'no known weaknesses' : 'known weaknesses:';
  process.stdout.write(`${lockfile}: ${summary}\n`);
  for (const weakPackage of weakPackages) process.stdout.write(`  ${lineOf(weakPackage)}\n`);
  if (weakPackages.some(isSevere)) process.exitCode = 1;
}
