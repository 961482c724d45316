/* Program of `npm run test:changed`; its usage text is in src/start/bootstrap.mjs. */
import { execFileSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { startVitest } from 'vitest/node';
import config from '../vitest.config.ts';
import { journeysFor } from '../journeys/by-folder.ts';
import { select } from './selection.ts';

const PROJECTS = ['unit', 'fuzz', 'gates'];
const COMMAND = 'npm test --';

const say = (line: string) => process.stdout.write(`${line}\n`);
const git = (...args: string[]): string[] =>
  execFileSync('git', args, { encoding: 'utf8' }).split('\n').filter(Boolean);

/** Test files that run in the process of Vitest. */
function inProcessTests(): string[] {
  type Project = { test: { name: string; include: string[]; exclude?: string[] } };
  const projects = (config.test?.projects ?? []) as Project[];
  return projects
    .filter(({ test }) => PROJECTS.includes(test.name))
    .flatMap(({ test }) => globSync(test.include, { exclude: test.exclude ?? [] }));
}

const { values } = parseArgs({ options: { base: { type: 'string' } } });
const base = values.base ?? git('merge-base', 'HEAD', 'main')[0]!;
const untracked = git('ls-files', '--others', '--exclude-standard');
const changed = [...new Set([...git('diff', '--name-only', '--no-renames', base), ...untracked])];
const files = new Set(globSync([...git('ls-files'), ...untracked]));
const candidates = inProcessTests();
const { tests, notes } = select(changed, candidates, files);

for (const note of notes) say(note);
say(
  `${changed.length} files changed since ${base}: ${tests.length} of ${candidates.length} test files.`,
);
if (tests.length > 0) {
  const options = { config: 'test/vitest.config.ts', project: PROJECTS, maxWorkers: 3 };
  const vitest = await startVitest('test', tests, { ...options, watch: false });
  await vitest.close();
}
const journeys = journeysFor(changed).map((name) => `test/journeys/${name}.test.ts`);
if (journeys.length > 0)
  say(`Journeys that prove these folders:\n  ${[COMMAND, ...journeys].join(' ')}`);
