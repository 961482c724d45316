import { existsSync, globSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { command } from '../command.ts';
import { root } from '../docker/engine.ts';
import { cache } from '../docker/tools.ts';
import { expectThat } from '../expect-that.ts';
import { hashedEnvironment } from '../hashed-environment.ts';
import { withTranscript, type Transcript } from '../transcript.ts';

const CLIENTS = path.join(root, 'src/clients');
const PUBLINT = '0.3.25';

type Publint = {
  publint: (options: { pkgDir: string; pack: false; strict: true }) => Promise<{
    messages: { code: string; type: string }[];
  }>;
};

/** Contents of our packages as they would be published. */
export const checkPackages = () =>
  withTranscript('packages', async (transcript) => {
    const work = await mkdtemp(path.join(tmpdir(), 'troupe-packages-'));
    transcript.atEnd('remove the folder', () => rm(work, { recursive: true }));
    await checkNpmPackages(work, transcript);
    await checkPythonPackages(work, transcript);
  });

function clientsWith(file: string): string[] {
  const folders = globSync(`*/${file}`, { cwd: CLIENTS }).map((match) => path.dirname(match));
  expectThat(folders.length > 0, `no folder of src/clients has a ${file}`);
  return folders.sort();
}

async function checkNpmPackages(work: string, transcript: Transcript): Promise<void> {
  const { publint } = await transcript.step('publint', installedPublint);
  for (const client of clientsWith('package.json')) {
    const text = await readFile(path.join(CLIENTS, client, 'package.json'), 'utf8');
    const { name } = JSON.parse(text) as { name: string };
    const published = await transcript.step(`npm pack ${name}`, () => packed(client, work));
    await transcript.step(`publint ${name}`, async () => {
      const { messages } = await publint({ pkgDir: published, pack: false, strict: true });
      expectThat(messages.length === 0, JSON.stringify(messages, null, 2));
    });
    await transcript.step(`import ${name}`, () => importPackage(name, published, work));
  }
}

async function installedPublint(): Promise<Publint> {
  const folder = path.join(cache, `publint-${PUBLINT}`);
  if (!existsSync(path.join(folder, 'node_modules/publint')))
    await command('npm', ['install', '--no-save', '--prefix', folder, `publint@${PUBLINT}`]);
  const entry = createRequire(path.join(folder, 'package.json')).resolve('publint');
  return (await import(pathToFileURL(entry).href)) as Publint;
}

/**
 * Builds a copy, so that nothing is left in the sources. Returns the folder with what the archive
 * holds.
 */
async function packed(client: string, work: string): Promise<string> {
  const copy = path.join(work, 'npm', client);
  await cp(path.join(CLIENTS, client), copy, { recursive: true });
  if (!existsSync(path.join(work, 'npm/node_modules'))) {
    await symlink(path.join(root, 'node_modules'), path.join(work, 'npm/node_modules'));
    // The sources of the web component, beside the copies as beside the clients.
    await symlink(path.join(root, 'src/web'), path.join(work, 'web'));
  }
  const env = {
    ...process.env,
    PATH: `${path.join(root, 'node_modules/.bin')}:${process.env['PATH']}`,
  };
  const out = path.join(work, 'packed', client);
  await mkdir(out, { recursive: true });
  await command('npm', ['pack', '--pack-destination', out], { cwd: copy, env });
  const [archive] = globSync('*.tgz', { cwd: out });
  await command('tar', ['-xzf', archive!], { cwd: out });
  return path.join(out, 'package');
}

/** By its name, beside the packages that it needs. */
async function importPackage(name: string, published: string, work: string): Promise<void> {
  const user = path.join(work, 'user', path.basename(path.dirname(published)));
  const modules = path.join(user, 'node_modules');
  await mkdir(path.join(modules, path.dirname(name)), { recursive: true });
  const text = await readFile(path.join(published, 'package.json'), 'utf8');
  const {
    dependencies = {},
    peerDependencies = {},
    sideEffects = false,
  } = JSON.parse(text) as {
    dependencies?: Record<string, string>;
    peerDependencies?: Record<string, string>;
    sideEffects?: boolean;
  };
  for (const needed of Object.keys({ ...dependencies, ...peerDependencies })) {
    await mkdir(path.join(modules, path.dirname(needed)), { recursive: true });
    await symlink(path.join(root, 'node_modules', needed), path.join(modules, needed));
  }
  await cp(published, path.join(modules, name), { recursive: true });
  // A package with side effects, such as the web component, may export nothing.
  const program = `if (Object.keys(await import('${name}')).length === 0 && ${!sideEffects}) throw new Error('it exports nothing');`;
  await command(process.execPath, ['--input-type=module', '--eval', program], { cwd: user });
}

async function checkPythonPackages(work: string, transcript: Transcript): Promise<void> {
  const python = await transcript.step('build, twine and mypy', () =>
    hashedEnvironment('packages', 'test/deploy/packages/requirements.txt'),
  );
  for (const client of clientsWith('pyproject.toml')) {
    const copy = path.join(work, 'python', client);
    await cp(path.join(CLIENTS, client), copy, { recursive: true });
    const inCopy = (...args: string[]) => command(python, args, { cwd: copy });
    await transcript.step(`build ${client}`, () => inCopy('-m', 'build', '--no-isolation'));
    const archives = globSync('dist/*', { cwd: copy });
    expectThat(archives.length === 2, `${archives.join(', ')} instead of a wheel and sources`);
    await transcript.step(`twine check ${client}`, () =>
      inCopy('-m', 'twine', 'check', '--strict', ...archives),
    );
    const wheel = archives.find((archive) => archive.endsWith('.whl'))!;
    await transcript.step(`mypy ${client}`, () => checkTypes(python, copy, wheel));
  }
}

/** Checks the wheel's types, by the name that users import. */
async function checkTypes(python: string, copy: string, wheel: string): Promise<void> {
  const unpacked = path.join(copy, 'unpacked');
  await command(python, ['-m', 'zipfile', '-e', path.join(copy, wheel), unpacked]);
  const [typed] = globSync('**/py.typed', { cwd: unpacked });
  expectThat(typed, `${wheel} has no py.typed`);
  const name = path.dirname(typed).replaceAll('/', '.');
  const env = { ...process.env, PYTHONPATH: unpacked, MYPYPATH: unpacked };
  await command(python, ['-c', `import ${name}`], { env, cwd: copy });
  const settings = path.join(copy, 'pyproject.toml');
  expectThat(/^strict = true$/m.test(await readFile(settings, 'utf8')), 'mypy is not strict');
  const options = ['--config-file', settings, '--namespace-packages', '--explicit-package-bases'];
  await command(python, ['-m', 'mypy', ...options, '-p', name], { env, cwd: unpacked });
}
