import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { readCommand } from '#shared/process/command-line.ts';
import { LOCKFILES, noticesOf } from '../../notices/notices.ts';

const inRoot = (file: string): string =>
  fileURLToPath(new URL(`../../../../${file}`, import.meta.url));

const { values } = readCommand({
  usage: `Usage: npm run notices [-- --check]

Writes THIRD_PARTY_NOTICES: the packages of the lockfiles by licence. A licence that has not been reviewed is an error.
  --check   write nothing; fail if the file is out of date`,
  options: { check: { type: 'boolean' } },
});

const file = inRoot('THIRD_PARTY_NOTICES');
const notices = noticesOf(
  await Promise.all(LOCKFILES.map((lockfile) => readFile(inRoot(lockfile), 'utf8'))),
);
if (!values.check) await writeFile(file, notices);
else if ((await readFile(file, 'utf8').catch(() => '')) !== notices) {
  process.stderr.write('THIRD_PARTY_NOTICES is out of date: run npm run notices.\n');
  process.exitCode = 1;
}
