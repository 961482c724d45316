import { globSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { childEnvironment } from '#shared/process/child-environment.mjs';
import { command } from '../command.ts';
import { root } from '../docker/engine.ts';
import { hashedEnvironment } from '../hashed-environment.ts';

const CLIENTS = path.join(root, 'src/clients');

/** Archives that were built from a folder of src/clients, with the paths in each. */
export type Built = { client: string; archives: { file: string; holds: string[] }[] };

/** In this order: the types of `react` are made from those of `embed`. */
const NPM_CLIENTS = ['typescript', 'livekit-node', 'embed', 'react'];
const PYTHON_CLIENTS = ['python', 'livekit-python'];
export const PACKED_CLIENTS: readonly string[] = [...NPM_CLIENTS, ...PYTHON_CLIENTS];

/** Builds the packages of these clients into a folder, by the names of a registry. */
export async function buildClients(clients: readonly string[], into: string): Promise<Built[]> {
  await mkdir(into, { recursive: true });
  const built: Built[] = [];
  for (const client of PACKED_CLIENTS.filter((name) => clients.includes(name)))
    built.push(await (NPM_CLIENTS.includes(client) ? packNpm : buildPython)(client, into));
  return built;
}

type Packed = { filename: string; files: { path: string }[] };

async function packNpm(client: string, into: string): Promise<Built> {
  const env = childEnvironment(process.env);
  const PATH = `${path.join(root, 'node_modules/.bin')}${path.delimiter}${env['PATH']}`;
  const output = await command('npm', ['pack', '--json', '--pack-destination', into], {
    cwd: path.join(CLIENTS, client),
    env: { ...env, PATH },
  });
  // The output of its build comes first.
  const [{ filename, files }] = JSON.parse(output.slice(output.indexOf('[\n'))) as [Packed];
  const archive = { file: path.join(into, filename), holds: files.map((file) => file.path) };
  return { client, archives: [archive] };
}

const HOLDS = `import sys, tarfile, zipfile
for name in sys.argv[1:]:
    names = zipfile.ZipFile(name).namelist() if name.endswith('.whl') else tarfile.open(name).getnames()
    print(name, *names, sep='\\t')`;

async function buildPython(client: string, into: string): Promise<Built> {
  const python = await hashedEnvironment('packages', 'test/deploy/packages/requirements.txt');
  // A folder of its own tells which archives are new.
  const draft = await mkdtemp(path.join(into, '.draft-'));
  try {
    await command(python, ['-m', 'build', '--no-isolation', '--outdir', draft], {
      cwd: path.join(CLIENTS, client),
    });
    const names = globSync('*.{whl,tar.gz}', { cwd: draft }).toSorted();
    for (const name of names) await rename(path.join(draft, name), path.join(into, name));
    const files = names.map((name) => path.join(into, name));
    const listed = await command(python, ['-c', HOLDS, ...files]);
    const archives = listed
      .trim()
      .split('\n')
      .map((line) => {
        const [file, ...holds] = line.split('\t');
        return { file: file!, holds };
      });
    return { client, archives };
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/** Files that a package lacks or must not hold. Empty if it may be published. */
export async function problemsOf({ client, archives }: Built): Promise<string[]> {
  const problems = await Promise.all(
    archives.map(async ({ file, holds }) => {
      const needed = file.endsWith('.tgz') ? await neededByNpm(client) : neededByPython(file);
      const name = path.basename(file);
      const isIn = (part: string) => holds.some((held) => `/${held}`.endsWith(`/${part}`));
      return [
        ...needed.filter((part) => !isIn(part)).map((part) => `${name} lacks ${part}`),
        ...holds.filter((held) => NOT_OURS.test(held)).map((held) => `${name} holds ${held}`),
      ];
    }),
  );
  const kinds = archives.map(({ file }) => path.extname(file)).join(' ');
  const expected = PYTHON_CLIENTS.includes(client) ? '.whl .gz' : '.tgz';
  return [
    ...(kinds === expected ? [] : [`${client} has ${kinds}, not ${expected}`]),
    ...problems.flat(),
  ];
}

const NOT_OURS = /(^|\/)(node_modules|__pycache__|\.env|tsconfig\.json|vite\.config\.ts)(\/|$)/;

/** A wheel and sources name their description differently. */
const neededByPython = (file: string): string[] => [
  'LICENSE',
  file.endsWith('.whl') ? 'METADATA' : 'PKG-INFO',
  'py.typed',
  '__init__.py',
];

/** The licence, the description, and each file that a user of the package imports. */
async function neededByNpm(client: string): Promise<string[]> {
  const text = await readFile(path.join(CLIENTS, client, 'package.json'), 'utf8');
  const { exports } = JSON.parse(text) as {
    exports: Record<string, string | Record<string, string>>;
  };
  const files = Object.values(exports).flatMap((entry) =>
    typeof entry === 'string' ? [entry] : Object.values(entry),
  );
  return ['LICENSE', 'README.md', ...files.map((file) => path.normalize(file))];
}
