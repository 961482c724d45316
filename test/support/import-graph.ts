import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const RELATIVE_IMPORT = /(?:from|import)\s*\(?\s*'(\.{1,2}\/[^']+)'/g;

/** Test files among `patterns` that import `target`, directly or not. Paths are relative to the repository. */
export function testsThatReach(target: string, patterns: string[]): string[] {
  const imports = new Map<string, string[]>();
  const importsOf = (file: string): string[] => {
    const known = imports.get(file);
    if (known) return known;
    const text = readFileSync(path.join(root, file), 'utf8');
    const found = [...text.matchAll(RELATIVE_IMPORT)]
      .map(([, specifier]) => path.join(path.dirname(file), specifier!))
      .filter((imported) => imported.endsWith('.ts'));
    imports.set(file, found);
    return found;
  };
  const reaches = (file: string): boolean => {
    const seen = new Set([file]);
    // The set grows during this loop.
    for (const each of seen) for (const imported of importsOf(each)) seen.add(imported);
    return seen.has(target);
  };
  return globSync(patterns, { cwd: root }).filter(reaches).sort();
}
