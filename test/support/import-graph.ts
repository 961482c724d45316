import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const OWN_IMPORT = /(?:from|import)\s*\(?\s*'((?:\.{1,2}|#shared|#protocol)\/[^']+)'/g;

const parsed = new Map<string, string[]>();

function importsOf(file: string): string[] {
  const known = parsed.get(file);
  if (known) return known;
  const text = readFileSync(path.join(root, file), 'utf8');
  const found = [...text.matchAll(OWN_IMPORT)]
    .map(([, specifier]) => pathOf(specifier!, path.dirname(file)))
    .filter((imported) => imported.endsWith('.ts'));
  parsed.set(file, found);
  return found;
}

const pathOf = (specifier: string, folder: string): string =>
  specifier.startsWith('#') ? `src/${specifier.slice(1)}` : path.join(folder, specifier);

/** The file itself, and all that it imports, directly or not. Paths are relative to the repository. */
export function filesReachedFrom(file: string): Set<string> {
  const reached = new Set([file]);
  // The set grows during this loop.
  for (const each of reached) for (const imported of importsOf(each)) reached.add(imported);
  return reached;
}

/** Test files among `patterns` that import `target`, directly or not. */
export function testsThatReach(target: string, patterns: string[]): string[] {
  const reaches = (file: string): boolean => filesReachedFrom(file).has(target);
  return globSync(patterns, { cwd: root }).filter(reaches).sort();
}
