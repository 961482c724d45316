import { filesBehind } from '../support/import-graph.ts';

export type Selection = {
  tests: string[];
  /** Why files that no test imports select what they do; one line each. */
  notes: string[];
};

const ALL = '';

/** They read the whole repository. */
const ALWAYS = 'test/lint/';

/** For files that no test names: the first match selects. Other programs select nothing. */
const table: [RegExp, string[]][] = [
  [/\.([cm]?[jt]sx?|sh|pl)$/, []],
  [/^src\/web\//, ['test/web/']],
  [/^workers\//, ['test/workers/', 'test/gates/']],
  [/^deploy\//, ['test/deploy/']],
  [/^test\/(journeys|bench|show|soak|deploy|clients)\//, []],
  [/^\.ci\/|^[\w/.-]+\.md$/, []],
];

/** They decide how every test runs. */
const FOR_ALL = ['package.json', 'package-lock.json', 'tsconfig.json', 'test/vitest.config.ts'];

/** The tests that a change of these files can affect. `files`: all of the repository. */
export function select(changed: string[], tests: string[], files: ReadonlySet<string>): Selection {
  const selected = new Set<string>();
  const notes: string[] = [];
  if (changed.length === 0) return { tests: [], notes };
  const behind = filesBehind(tests, files);
  for (const file of changed) {
    const isForAll = FOR_ALL.includes(file);
    const reached = isForAll ? [] : tests.filter((test) => behind.get(test)!.has(file));
    for (const test of reached) selected.add(test);
    if (reached.length > 0) continue;
    const starts = isForAll ? [ALL] : (table.find(([pattern]) => pattern.test(file))?.[1] ?? [ALL]);
    for (const test of tests)
      if (starts.some((start) => test.startsWith(start))) selected.add(test);
    const causes = starts.map((start) => (start === ALL ? 'all tests' : start)).join(', ');
    notes.push(`${file}, which no test imports: ${causes || 'no test'}.`);
  }
  for (const test of tests) if (test.startsWith(ALWAYS)) selected.add(test);
  return { tests: [...selected].sort(), notes };
}
