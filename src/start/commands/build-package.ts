import { existsSync } from 'node:fs';
import { cp, glob, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { readCommand } from '#shared/process/command-line.ts';

/*
 * Node runs no TypeScript below node_modules, so a published package holds JavaScript: each source
 * without its types, at the same place and with the same line numbers. Loading it takes less time
 * than a loader such as tsx needs to start.
 */
readCommand({
  usage: `Usage: npm run build:package

Writes what the published package runs to dist/package: the sources as JavaScript, the built pages, and the files that they read. \`npm pack\`
does this first. Needs the pages (npm run build:pages).`,
});

const root = fileURLToPath(new URL('../../..', import.meta.url));
const into = path.join(root, 'dist/package');

/**
 * Sources that a running service needs: no page, which Vite has built, and no tool of this
 * repository.
 */
const SOURCES = ['src/**/*.{ts,mts,mjs}', 'workers/**/*.{ts,mts,mjs}'];
const DATA = ['src/**/*', 'workers/**/*', 'deploy/{media-server,natural-voice}/*'];
/** What the command `troupe` and the probe use. The other clients are packages of their own. */
const SDK = 'src/clients/typescript/src';
const LEFT_OUT = [
  'src/web',
  'workers/studio',
  'src/cli/write-reference.ts',
  ...['dashboards', 'notices', 'packages/node', 'tests'].map((name) => `src/start/${name}`),
  ...['build-package.ts', 'build-pages.ts', 'check.ts', 'generate'].map(
    (name) => `src/start/commands/${name}`,
  ),
];
const PAGES = 'src/web/dist';
const IMPORT_OF_SOURCE = /\b(?:from|import\()\s*['"]([^'"]+\.ts)['"]/;
/** Names of files in strings and imports. */
const FILE_NAME = /(['"`])([\w#./-]+)\.ts\1/g;

await rm(into, { recursive: true, force: true });
const sources = await filesOf(SOURCES);
for (const file of sources) {
  const script = await compiled(file);
  if (script !== null) await put(file.replace(/\.ts$/, '.js'), script);
}
for (const file of await filesOf(DATA)) {
  if (!/\.(d\.mts|tsx?|mjs|md)$/.test(file)) await put(file, await readFile(path.join(root, file)));
}
if (!existsSync(path.join(root, PAGES, 'index.html'))) {
  process.stderr.write('The pages are missing: run npm run build:pages first.\n');
  process.exit(1);
}
await cp(path.join(root, PAGES), path.join(into, PAGES), { recursive: true });
await put('package.json', await ownDescription());
process.stdout.write(`${sources.length} sources in ${path.relative('', into)}\n`);

function isLeftOut({ name, parentPath }: { name: string; parentPath: string }): boolean {
  const file = path.relative(root, path.join(parentPath, name));
  const isOtherClient =
    file.startsWith('src/clients/') && !SDK.startsWith(file) && !file.startsWith(SDK);
  return name === 'node_modules' || isOtherClient || LEFT_OUT.includes(file);
}

async function filesOf(patterns: string[]): Promise<string[]> {
  const files: string[] = [];
  const options = { cwd: root, withFileTypes: true, exclude: isLeftOut } as const;
  for await (const entry of glob(patterns, options)) {
    if (!entry.isFile() || entry.name.endsWith('.d.mts')) continue;
    files.push(path.relative(root, path.join(entry.parentPath, entry.name)));
  }
  return files;
}

async function put(file: string, content: string | Uint8Array): Promise<void> {
  const target = path.join(into, file);
  await mkdir(path.dirname(target), { recursive: true });
  await writeFile(target, content);
}

/**
 * Without types, and with the new names of the files that it names. Types become spaces, so
 * positions in stack traces stay. Null for AssemblyScript, which was built to .wasm.
 */
async function compiled(file: string): Promise<string | null> {
  const text = await readFile(path.join(root, file), 'utf8');
  const script = file.endsWith('.ts') ? withoutTypes(text) : text;
  if (script === null) return null;
  const renamed = script.replace(FILE_NAME, (match, quote: string, name: string) =>
    isSource(`${name}.ts`, file) ? `${quote}${name}.js${quote}` : match,
  );
  const sourceImport = IMPORT_OF_SOURCE.exec(renamed);
  if (sourceImport)
    throw new Error(`${file} imports ${sourceImport[1]}, which the package leaves out`);
  return renamed;
}

function withoutTypes(text: string): string | null {
  try {
    return stripTypeScriptTypes(text);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX' || code === 'ERR_INVALID_TYPESCRIPT_SYNTAX')
      return null;
    throw error;
  }
}

function isSource(name: string, file: string): boolean {
  const candidates = [path.join(path.dirname(file), name), name, name.replace(/^#/, 'src/')];
  return candidates.some((each) => sources.includes(path.normalize(each)));
}

/** The part of package.json that Node and the code read. */
async function ownDescription(): Promise<string> {
  const { name, version, type, imports } = JSON.parse(
    await readFile(path.join(root, 'package.json'), 'utf8'),
  ) as Record<string, unknown>;
  return JSON.stringify({ name, version, type, imports }, null, 2);
}
