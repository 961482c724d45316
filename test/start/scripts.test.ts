import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { filesLoadedBy } from '../support/import-graph.ts';
import { call } from './commands/run-command.ts';

const { scripts, devDependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  scripts: Record<string, string>;
  devDependencies: Record<string, string>;
};
const TYPE_IMPORT = /^(?:import|export) type [^;]*;/gm;
const PACKAGE_IMPORT = /(?:\bfrom|\bimport)\s*\(?\s*'(@[\w.-]+\/[\w.-]+|[\w-][\w.-]*)/g;

/** Third-party programs, which document themselves, and what `npm pack` runs. */
const TOOLS = [
  'format',
  'prepack',
  ...['filter', 'kernel', 'networks', 'warp', 'jpeg'].map((name) => `build:${name}`),
];
const ownScripts = Object.keys(scripts).filter((name) => !TOOLS.includes(name));

/** As npm runs it: by a shell, with the packages' programs on the PATH. */
function runScript(name: string, option: string) {
  const env = {
    ...process.env,
    PATH: `${path.resolve('node_modules/.bin')}${path.delimiter}${process.env['PATH']}`,
  };
  return new Promise<{ code: number | string; stdout: string; stderr: string }>((resolve) => {
    execFile('sh', ['-c', `${scripts[name]} ${option}`], { env }, (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, stdout, stderr }),
    );
  });
}

const BOOTSTRAP = 'src/start/bootstrap.mjs';
/** Commands of `troupe`, which test/cli/program.test.ts tests. */
const TROUPE = 'src/start/troupe.mjs';

/** The file that a script runs: a tool, or what runs its role. */
const fileOf = (name: string): string =>
  /^exec node (?:\S+ (?:tool|program) )?(\S+\.(?:ts|mjs))/.exec(scripts[name] ?? '')?.[1] ?? '';

const usageOf = (name: string): string =>
  `Usage: ${name === 'start' || name === 'test' ? `npm ${name}` : `npm run .*${name}`}\\b`;

const unknownOption = (name: string) =>
  new RegExp(`^Unknown option '--no-such-option'.*\\n\\n${usageOf(name)}`);

/** Where a command of src/start/commands would be. */
const programOf = (name: string): string => `src/start/commands/${name}.ts`;
const isFunction = (file: string): boolean =>
  existsSync(file) && /\brunAsProgram\(/.test(readFileSync(file, 'utf8'));

describe('npm scripts', () => {
  test('read their arguments in one of four ways', () => {
    const otherFiles = ownScripts
      .map(fileOf)
      .filter(
        (file) =>
          file !== BOOTSTRAP &&
          file !== TROUPE &&
          !/\breadCommand\(/.test(readFileSync(file, 'utf8')),
      );

    expect(otherFiles).toEqual([]);
  });

  // One script for each way: `bootstrap.mjs`, the command line of the benches, and
  // `command-line.ts`; and programs that no other test starts.
  test.each(['test', 'bench', 'keys', 'control', 'migrate'])(
    '%s prints its usage for --help',
    async (name) => {
      const { code, stdout, stderr } = await runScript(name, '--help');

      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(stdout).toMatch(new RegExp(`^${usageOf(name)}`));
    },
  );

  test.each(ownScripts.filter((name) => fileOf(name) === TROUPE))(
    '%s is a command of troupe',
    async (name) => {
      const { code, stdout, stderr } = await runScript(name, '--help');

      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(stdout).toMatch(/^Usage: troupe worker /);
    },
  );

  // The tests of these commands start their programs.
  const functions = ownScripts.filter((name) => isFunction(programOf(name)));
  test.each(functions)('%s, a function, answers an unknown option with its usage', async (name) => {
    const { [name]: command } = await import(path.resolve(programOf(name)));
    const { status, stdout, stderr } = await call(command, ['--no-such-option']);

    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toMatch(unknownOption(name));
  });

  // test/journeys/service/fresh-clone.test.ts runs most of them.
  test.each(ownScripts.filter((name) => scripts[name]!.includes(` program `)))(
    '%s imports no development package',
    (name) => {
      const imported = [...filesLoadedBy(fileOf(name))].flatMap((file) =>
        [...readFileSync(file, 'utf8').replaceAll(TYPE_IMPORT, '').matchAll(PACKAGE_IMPORT)].map(
          ([, specifier]) => specifier!,
        ),
      );

      expect(imported.filter((specifier) => specifier in devDependencies)).toEqual([]);
    },
  );

  const otherScripts = ownScripts.filter(
    (name) => fileOf(name) !== TROUPE && !functions.includes(name),
  );
  test.each(otherScripts)('%s prints its usage for an unknown option', async (name) => {
    const { code, stdout, stderr } = await runScript(name, '--no-such-option');

    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(unknownOption(name));
    expect(stderr).not.toMatch(/^ +at /m);
  });
});
