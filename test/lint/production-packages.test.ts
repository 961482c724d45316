/*
 * `npm ci --omit=dev` must be enough to run the service: `npm start`, `npm run control` and the workers.
 */
import { globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

type Lock = { packages: Record<string, { dev?: boolean; devOptional?: boolean }> };

const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as Lock;
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
/** A package of its own, which the service does not run. */
const PACKAGES = ['src/clients/react/**'];

function imported(): { file: string; name: string }[] {
  const exclude = [...SHOWN_ONLY, ...BUILD_ONLY, ...PACKAGES, 'src/web/dist/**'];
  return globSync(SOURCES, { exclude }).flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(IMPORT)]
      .map(([, named, awaited]) => (named ?? awaited)!)
      .filter((specifier) => !/^[.#]|^node:/.test(specifier))
      .map((specifier) => ({ file, name: packageOf(specifier) })),
  );
}

const packageOf = (specifier: string): string =>
  specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');

const isForDevelopment = (name: string): boolean => {
  const entry = packages[`node_modules/${name}`];
  return !entry || entry.dev === true || entry.devOptional === true;
};

describe('without development packages', () => {
  test('src and workers find everything that they import', () => {
    const all = imported();

    expect(all.map(({ name }) => name)).toEqual(expect.arrayContaining(['fastify', 'react', 'ws']));
    expect(all.filter(({ name }) => !(name in dependencies) || isForDevelopment(name))).toEqual([]);
  });

  test.each([
    'start',
    'dev',
    'control',
    'worker',
    'agent',
    'key',
    'consent',
    'migrate',
    'build:pages',
  ])('npm run %s finds its program', (name) => {
    const [program = ''] = scripts[name]!.replace(/^exec /, '').split(' ');
    const loaders = /--import (\S+)/.exec(scripts[name]!)?.slice(1) ?? [];

    const needed = [program, ...loaders].filter((each) => each !== 'node');
    expect(needed.filter(isForDevelopment)).toEqual([]);
  });
});
