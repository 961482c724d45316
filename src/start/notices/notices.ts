/* Generates THIRD_PARTY_NOTICES from lockfiles alone, so that all machines make the same text. */
import { ELSEWHERE, PERMISSIVE, REVIEWED, UNNAMED } from './reviewed-licences.ts';

type Entry = {
  version?: string;
  license?: string;
  dev?: boolean;
  devOptional?: boolean;
  link?: boolean;
};
type Lock = { packages: Record<string, Entry> };
type Package = { name: string; version: string; licence: string };

/**
 * The packages of an installation, those inside the built pages, and the Node for machines with an
 * older one.
 */
export const LOCKFILES = [
  'package-lock.json',
  'src/web/packages/package-lock.json',
  'src/start/packages/node/package-lock.json',
];

/** Throws for a licence that has not been reviewed. */
export function noticesOf(lockfiles: readonly string[]): string {
  const packages = packagesOf(lockfiles.map((lockfile) => JSON.parse(lockfile) as Lock));
  const unknown = packages.filter(
    ({ licence }) => !PERMISSIVE.has(licence) && !(licence in REVIEWED),
  );
  if (unknown.length > 0) {
    const names = unknown.map(({ name, licence }) => `${name} (${licence})`).join(', ');
    throw new Error(`Review these licences in src/start/notices/reviewed-licences.ts: ${names}`);
  }
  return `${[HEAD, reviewed(packages), elsewhere(), permissive(packages)].join('\n\n')}\n`;
}

const HEAD = `THIRD-PARTY NOTICES

Troupe is under the Apache License 2.0 and uses the software below. Made by \`npm run notices\` from
its lockfiles; do not edit. Development packages are left out. After \`npm ci\`, the folder
node_modules/NAME of a package has its licence text and its copyright notice.`;

function packagesOf(locks: readonly Lock[]): Package[] {
  const runtimePackages = locks
    .flatMap(({ packages }) => Object.entries(packages))
    .filter(([place, { dev, devOptional, link }]) => place !== '' && !dev && !devOptional && !link)
    .map(([place, { version = '', license }]) => {
      const name = place.replace(/^.*node_modules\//, '');
      return { name, version, licence: license ?? UNNAMED[name] ?? 'none named' };
    });
  const distinctPackages = new Map(
    runtimePackages.map((each) => [`${each.name} ${each.version}`, each]),
  );
  return [...distinctPackages.entries()]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, each]) => each);
}

const reviewed = (packages: Package[]): string =>
  section(
    'Licences that ask for more than their text',
    Object.entries(REVIEWED).map(([licence, review]) =>
      block(licence, packages, `${wrapped(review)}\n`),
    ),
  );

const permissive = (packages: Package[]): string =>
  section(
    'Licences that ask for their text only',
    [...PERMISSIVE].map((licence) => block(licence, packages)),
  );

const elsewhere = (): string =>
  section(
    'Not from npm',
    ELSEWHERE.map(([what, terms]) => `${wrapped(what)}\n${wrapped(terms, '  ')}`),
  );

const section = (title: string, blocks: (string | null)[]): string =>
  [`${title}\n${'='.repeat(title.length)}`, ...blocks.filter((each) => each !== null)].join('\n\n');

function block(licence: string, packages: Package[], preamble = ''): string | null {
  const under = packages.filter((each) => each.licence === licence);
  if (under.length === 0) return null;
  return [
    licence,
    preamble + under.map(({ name, version }) => `  ${name} ${version}`).join('\n'),
  ].join('\n');
}

/** Lines of at most 100 columns. */
function wrapped(text: string, indent = ''): string {
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = lines.at(-1)!;
    if (line !== '' && `${indent}${line} ${word}`.length > 100) lines.push(word);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  return lines.map((line) => indent + line).join('\n');
}
