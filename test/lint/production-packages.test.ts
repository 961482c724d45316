/*
 * `npm ci --omit=dev` must be enough to run the service: `npm start`, `npm run control` and the
 * workers. The pages are built by packages of their own.
 */
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';

type Entry = { dev?: boolean; devOptional?: boolean; version?: string; integrity?: string };
type Lock = { packages: Record<string, Entry> };

const lockOf = (folder: string) =>
  (JSON.parse(readFileSync(`${folder}/package-lock.json`, 'utf8')) as Lock).packages;

const packages = lockOf('.');
const ofPages = lockOf('src/web/packages');
const { scripts, dependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  scripts: Record<string, string>;
  dependencies: Record<string, string>;
};

/** The values that a file imports at run time, statically or not. Types are gone by then. */
const IMPORT =
  /^(?:import|export)(?! type\b)(?: [^;'"]*?\bfrom)? '([^']+)'|\bimport\(\s*'([^']+)'\s*\)/gm;
const SOURCES = ['src/**/*.{ts,tsx,mjs}', 'workers/**/*.{ts,tsx,mjs}'];
/** A page shows it to its readers. */
const SHOWN_ONLY = ['src/web/plugin/snippets.ts'];
/** The documentation site. Where its packages are missing, `npm run build:pages` leaves it out. */
const BUILD_ONLY = ['src/web/docs/site/**'];
/** Programs and packages that the service does not run. */
const NOT_RUN = ['src/clients/{embed,react}/**', 'workers/studio/**'];

function imported(): { file: string; name: string }[] {
  const exclude = [...SHOWN_ONLY, ...BUILD_ONLY, ...NOT_RUN, 'src/web/dist/**'];
  return globSync(SOURCES, { exclude }).flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(IMPORT)]
      .map(([, named, awaited]) => (named ?? awaited)!)
      .filter((specifier) => !/^[.#]|^node:/.test(specifier))
      .map((specifier) => ({ file, name: packageOf(specifier) })),
  );
}

const packageOf = (specifier: string): string =>
  specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');

/** Packages that a program loads before its first line runs. */
function loadedAtOnce(program: string): string[] {
  const names = new Set<string>();
  const files = new Set([program]);
  // The set grows during this loop.
  for (const file of files) {
    for (const [, specifier] of readFileSync(file, 'utf8').matchAll(IMPORT)) {
      if (!specifier || specifier.startsWith('node:')) continue;
      if (specifier.startsWith('.')) files.add(path.join(path.dirname(file), specifier));
      else if (specifier.startsWith('#')) files.add(specifier.replace('#', 'src/'));
      else names.add(packageOf(specifier));
    }
  }
  return [...names];
}

const isForDevelopment = (name: string): boolean => {
  const entry = packages[`node_modules/${name}`];
  return !entry || entry.dev === true || entry.devOptional === true;
};

const isOfPages = (file: string): boolean =>
  file.startsWith('src/web/') && !file.startsWith('src/web/docs/');

describe('without development packages', () => {
  test('src and workers find everything that they import', () => {
    const packages = imported();

    expect(packages.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['fastify', 'react', 'ws']),
    );
    const missing = packages.filter(
      ({ name }) => !(name in dependencies) || isForDevelopment(name),
    );
    expect(
      missing.filter(({ file, name }) => !isOfPages(file) || !ofPages[`node_modules/${name}`]),
    ).toEqual([]);
  });

  test('every npm script starts, and can then install what it needs', () => {
    const starts = /^(exec node src\/start\/(bootstrap|troupe)\.mjs |npm run )/;

    expect(Object.values(scripts).filter((script) => !starts.test(script))).toEqual([]);
  });

  test('our tools load none before they have read their arguments: --help needs none', () => {
    const tools = Object.values(scripts).flatMap(
      (script) => / tool (\S+\.ts)/.exec(script)?.[1] ?? [],
    );

    expect(tools).toContain('test/bench/main.ts');
    const needed = tools.map(
      (tool) => [tool, loadedAtOnce(tool).filter(isForDevelopment)] as const,
    );
    expect(needed.filter(([, names]) => names.length > 0)).toEqual([]);
  });
});

/** Developers have them all in one folder. */
test.each(['src/web/packages', 'src/start/packages/node'])(
  'the lockfile of %s names what developers have',
  (folder) => {
    const have = new Set(Object.values(packages).map(({ integrity }) => integrity));

    const otherEntries = Object.entries(lockOf(folder)).filter(
      ([place, { integrity }]) => place !== '' && !have.has(integrity),
    );
    // Then copy these entries from package-lock.json.
    expect(otherEntries.map(([place, { version }]) => `${place} ${version}`)).toEqual([]);
  },
);
