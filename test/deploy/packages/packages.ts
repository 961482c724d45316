import { existsSync, globSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { childEnvironment } from '#shared/process/child-environment.mjs';
import { lineOf } from '../../clients/install-lines.ts';
import { command } from '../command.ts';
import { root } from '../docker/engine.ts';
import { cache } from '../docker/tools.ts';
import { expectThat } from '../expect-that.ts';
import { hashedEnvironment } from '../hashed-environment.ts';
import { withTranscript, type Transcript } from '../transcript.ts';
import { buildClients, PACKED_CLIENTS, problemsOf, type Built } from './build.ts';

const CLIENTS = path.join(root, 'src/clients');
const PUBLINT = '0.3.25';

type Publint = {
  publint: (options: { pkgDir: string; pack: false; strict: true }) => Promise<{
    messages: { code: string; type: string }[];
  }>;
};

const isForNpm = ({ archives }: Built) => archives[0]!.file.endsWith('.tgz');

/** Our packages as they would be published, and as their READMEs install them. */
export const checkPackages = () =>
  withTranscript('packages', async (transcript) => {
    const work = await mkdtemp(path.join(tmpdir(), 'troupe-packages-'));
    transcript.atEnd('remove the folder', () => rm(work, { recursive: true }));
    const built = await transcript.step('npm run packages', () =>
      buildClients(PACKED_CLIENTS, path.join(work, 'built')),
    );
    const problems = (await Promise.all(built.map(problemsOf))).flat();
    expectThat(problems.length === 0, problems.join('\n'));
    await checkNpmPackages(built.filter(isForNpm), work, transcript);
    await checkPythonPackages(
      built.filter((each) => !isForNpm(each)),
      work,
      transcript,
    );
    for (const client of PACKED_CLIENTS)
      await transcript.step(`the line of ${client}`, () => installByLine(client, work));
  });

/** In an empty folder beside the checkout, as the README says. */
async function installByLine(client: string, work: string): Promise<void> {
  const place = path.join(work, 'lines', client);
  const program = path.join(place, 'program');
  await mkdir(program, { recursive: true });
  await symlink(root, path.join(place, 'troupe'));
  await writeFile(path.join(program, 'package.json'), '{"private": true, "type": "module"}');
  await command('python3', ['-m', 'venv', path.join(place, 'venv')]);
  const env = childEnvironment(process.env, ['PIP_*']);
  const PATH = `${path.join(place, 'venv/bin')}${path.delimiter}${env['PATH']}`;
  await command('sh', ['-c', lineOf(client)], { cwd: program, env: { ...env, PATH } });
}

async function checkNpmPackages(
  npm: readonly Built[],
  work: string,
  transcript: Transcript,
): Promise<void> {
  const { publint } = await transcript.step('publint', installedPublint);
  for (const { client, archives } of npm) {
    const published = await unpacked(client, archives[0]!.file, work);
    const text = await readFile(path.join(published, 'package.json'), 'utf8');
    const { name } = JSON.parse(text) as { name: string };
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

/** The folder with what the archive holds. */
async function unpacked(client: string, archive: string, work: string): Promise<string> {
  const out = path.join(work, 'packed', client);
  await mkdir(out, { recursive: true });
  await command('tar', ['-xzf', archive], { cwd: out });
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

async function checkPythonPackages(
  built: readonly Built[],
  work: string,
  transcript: Transcript,
): Promise<void> {
  const python = await transcript.step('twine and mypy', () =>
    hashedEnvironment('packages', 'test/deploy/packages/requirements.txt'),
  );
  for (const { client, archives } of built) {
    const files = archives.map(({ file }) => file);
    await transcript.step(`twine check ${client}`, () =>
      command(python, ['-m', 'twine', 'check', '--strict', ...files]),
    );
    const wheel = files.find((file) => file.endsWith('.whl'))!;
    const settings = path.join(CLIENTS, client, 'pyproject.toml');
    await transcript.step(`mypy ${client}`, () =>
      checkTypes(python, wheel, settings, path.join(work, 'python', client)),
    );
  }
}

/** Checks the wheel's types, by the name that users import. */
async function checkTypes(
  python: string,
  wheel: string,
  settings: string,
  folder: string,
): Promise<void> {
  await mkdir(folder, { recursive: true });
  await command(python, ['-m', 'zipfile', '-e', wheel, folder]);
  const [typed] = globSync('**/py.typed', { cwd: folder });
  expectThat(typed, `${wheel} has no py.typed`);
  const name = path.dirname(typed).replaceAll('/', '.');
  const env = { ...process.env, PYTHONPATH: folder, MYPYPATH: folder };
  await command(python, ['-c', `import ${name}`], { env, cwd: folder });
  expectThat(/^strict = true$/m.test(await readFile(settings, 'utf8')), 'mypy is not strict');
  const options = ['--config-file', settings, '--namespace-packages', '--explicit-package-bases'];
  await command(python, ['-m', 'mypy', ...options, '-p', name], { env, cwd: folder });
}
