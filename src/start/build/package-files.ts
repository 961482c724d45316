/*
 * Lists the files of the published package. Node runs no TypeScript below node_modules, so each
 * source is packed as JavaScript: without its types, at the same place and with the same line
 * numbers. Loading it takes less time than a loader such as tsx needs to start.
 */
import { glob, readFile } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';
import path from 'node:path';

/**
 * Sources that a running service needs: no page, which Vite has built, and no tool of this
 * repository.
 */
const SOURCES = ['src/**/*.{ts,mts,mjs}', 'workers/**/*.{ts,mts,mjs}'];
const DATA = [
  'src/**/*',
  'workers/**/*',
  'deploy/{hearing,media-server,natural-voice,speech-models}/*',
];
/** The command `troupe` and the probe import it. The other clients are separate packages. */
const SDK = 'src/clients/typescript/src';
export const LEFT_OUT = [
  'src/web',
  'workers/studio',
  'src/cli/write-reference.ts',
  ...['audit', 'build/package-files.ts', 'dashboards', 'notices', 'packages/node', 'tests'].map(
    (name) => `src/start/${name}`,
  ),
  ...['audit.ts', 'build-package.ts', 'build-pages.ts', 'check.ts', 'generate'].map(
    (name) => `src/start/commands/${name}`,
  ),
];
const IMPORT_OF_SOURCE = /\b(?:from|import\()\s*['"]([^'"]+\.ts)['"]/;
/** Names of files in strings and imports. */
const FILE_NAME = /(['"`])([\w#./-]+)\.ts\1/g;

/** JavaScript by its path. Throws if a source imports a file outside the package. */
export async function packedScripts(root: string): Promise<Map<string, string>> {
  const sources = await filesOf(root, SOURCES);
  const scripts = new Map<string, string>();
  for (const file of sources) {
    const script = await compiled(root, file, new Set(sources));
    if (script !== null) scripts.set(file.replace(/\.ts$/, '.js'), script);
  }
  return scripts;
}

/** Files that the sources read, packed as they are. */
export const packedData = async (root: string): Promise<string[]> =>
  (await filesOf(root, DATA)).filter((file) => !/\.(d\.mts|tsx?|mjs|md)$/.test(file));

async function filesOf(root: string, patterns: string[]): Promise<string[]> {
  const isLeftOut = ({ name, parentPath }: { name: string; parentPath: string }): boolean => {
    const file = path.relative(root, path.join(parentPath, name));
    const isOtherClient =
      file.startsWith('src/clients/') &&
      !`${SDK}/`.startsWith(`${file}/`) &&
      !file.startsWith(`${SDK}/`);
    return name === 'node_modules' || isOtherClient || LEFT_OUT.includes(file);
  };
  const files: string[] = [];
  const options = { cwd: root, withFileTypes: true, exclude: isLeftOut } as const;
  for await (const entry of glob(patterns, options)) {
    // `exclude` does not apply to all that `**/*` finds.
    if (!entry.isFile() || isLeftOut(entry) || entry.name.endsWith('.d.mts')) continue;
    files.push(path.relative(root, path.join(entry.parentPath, entry.name)));
  }
  return files;
}

/**
 * Without types, and with the new names of the files that it names. Types become spaces, or empty
 * lines, so positions in stack traces stay. Null for AssemblyScript, which was built to .wasm.
 */
async function compiled(
  root: string,
  file: string,
  sources: ReadonlySet<string>,
): Promise<string | null> {
  const text = await readFile(path.join(root, file), 'utf8');
  const script = file.endsWith('.ts') ? withoutTypes(text) : text;
  if (script === null) return null;
  const isSource = (name: string): boolean => {
    const candidates = [path.join(path.dirname(file), name), name, name.replace(/^#/, 'src/')];
    return candidates.some((each) => sources.has(path.normalize(each)));
  };
  const renamed = script.replace(FILE_NAME, (match, quote: string, name: string) =>
    isSource(`${name}.ts`) ? `${quote}${name}.js${quote}` : match,
  );
  const sourceImport = IMPORT_OF_SOURCE.exec(renamed);
  if (sourceImport)
    throw new Error(`${file} imports ${sourceImport[1]}, which the package leaves out`);
  return renamed;
}

function withoutTypes(text: string): string | null {
  try {
    const linesBefore = text.split('\n');
    return stripTypeScriptTypes(text)
      .split('\n')
      .map((line, i) => (isBlank(line) && !isBlank(linesBefore[i]!) ? '' : line))
      .join('\n');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX' || code === 'ERR_INVALID_TYPESCRIPT_SYNTAX')
      return null;
    throw error;
  }
}

const isBlank = (line: string): boolean => line.trim() === '';
