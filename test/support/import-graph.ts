import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const OWN_IMPORT = /(?:from|import)\s*\(?\s*'((?:\.{1,2}|#shared|#protocol)\/[^']+)'/g;
const TYPE_IMPORT = /^(?:import|export) type [^;]*;/gm;
/** Also what a program starts or reads: `new URL('data.json', import.meta.url)`. */
const NAMED_FILE = /['"`]([\w@#./-]*[\w-]\.\w+)(?:\?\w+)?['"`]/g;

/** Files as repository paths: those that a file refers to. */
type Edges = (file: string) => string[];

const importsOf = remember((file) => importsIn(read(file), file));
const loadsOf = remember((file) => importsIn(read(file).replaceAll(TYPE_IMPORT, ''), file));

const importsIn = (text: string, file: string): string[] =>
  [...text.matchAll(OWN_IMPORT)]
    .map(([, specifier]) => pathOf(specifier!, path.dirname(file)))
    .filter((imported) => imported.endsWith('.ts'));

/** The file and all that it imports, directly or not. Paths are relative to the repository. */
export const filesReachedFrom = (file: string): Set<string> => reachableFrom(file, importsOf);

/** The same without what only its types name. */
export const filesLoadedBy = (file: string): Set<string> => reachableFrom(file, loadsOf);

/** Test files among `patterns` that import `target`, directly or not. */
export function testsThatReach(target: string, patterns: string[]): string[] {
  return globSync(patterns, { cwd: root })
    .filter((file) => filesReachedFrom(file).has(target))
    .sort();
}

/** By test file: itself and all files that it imports or names, directly or not, without types. */
export function filesBehind(tests: string[], files: ReadonlySet<string>): Map<string, Set<string>> {
  const namedBy = remember((file) => {
    if (!/\.(?:[cm]?[jt]sx?|css|html)$/.test(file)) return [];
    return [...read(file).replaceAll(TYPE_IMPORT, '').matchAll(NAMED_FILE)].flatMap(([, name]) =>
      [pathOf(name!, ''), path.join(path.dirname(file), name!)].filter((each) => files.has(each)),
    );
  });
  return new Map(tests.map((test) => [test, reachableFrom(test, namedBy)]));
}

function pathOf(specifier: string, folder: string): string {
  return specifier.startsWith('#') ? `src/${specifier.slice(1)}` : path.join(folder, specifier);
}

function reachableFrom(file: string, edges: Edges): Set<string> {
  const reached = new Set([file]);
  // The set grows during this loop.
  for (const reachedFile of reached) for (const target of edges(reachedFile)) reached.add(target);
  return reached;
}

function remember(edges: Edges): Edges {
  const results = new Map<string, string[]>();
  return (file) => {
    const targets = results.get(file) ?? edges(file);
    results.set(file, targets);
    return targets;
  };
}

function read(file: string): string {
  return readFileSync(path.join(root, file), 'utf8');
}
