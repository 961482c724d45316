/* The lines with which READMEs and documentation pages install our packages. */
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

const CLIENTS = 'src/clients';
const TEXTS = ['README.md', 'src/**/*.{md,ts,tsx,html}', 'deploy/**/*.{md,py,mjs,in}'];
const INSTALLS = /\b(?:npm|pnpm|yarn|pip|uv) (?:i|install|add) .*/g;

const isNotOurs = (name: string) => name.endsWith('node_modules') || name.endsWith('dist');

/** Each file with such a line, and the line from its start. */
export function installLines(): { file: string; line: string }[] {
  return globSync(TEXTS, { exclude: isNotOurs }).flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => line.match(INSTALLS))
      .map((line) => ({ file, line: line.trim() })),
  );
}

/** The line of a client's README. */
export function lineOf(client: string): string {
  const file = path.join(CLIENTS, client, 'README.md');
  const own = installLines().filter((each) => each.file === file);
  if (own.length !== 1) throw new Error(`${file} has ${own.length} lines that install`);
  return own[0]!.line;
}
