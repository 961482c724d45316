import { existsSync } from 'node:fs';
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { readCommand } from '#shared/process/command-line.ts';
import { packedData, packedScripts } from '../build/package-files.ts';

readCommand({
  usage: `Usage: npm run build:package

Writes what the published package runs to dist/package: the sources as JavaScript, the built pages, and the files that they read. \`npm pack\`
does this first. Needs the pages (npm run build:pages).`,
});

const PAGES = 'src/web/dist';
const root = fileURLToPath(new URL('../../..', import.meta.url));
const into = path.join(root, 'dist/package');

if (!existsSync(path.join(root, PAGES, 'index.html'))) {
  process.stderr.write('The pages are missing: run npm run build:pages first.\n');
  process.exit(1);
}
await rm(into, { recursive: true, force: true });
const scripts = await packedScripts(root);
for (const [file, script] of scripts) await put(file, script);
for (const file of await packedData(root)) await put(file, await readFile(path.join(root, file)));
await cp(path.join(root, PAGES), path.join(into, PAGES), { recursive: true });
await put('package.json', await ownDescription());
process.stdout.write(`${scripts.size} sources in ${path.relative('', into)}\n`);

async function put(file: string, content: string | Uint8Array): Promise<void> {
  const target = path.join(into, file);
  await mkdir(path.dirname(target), { recursive: true });
  await writeFile(target, content);
}

/** The part of package.json that Node and the code read. */
async function ownDescription(): Promise<string> {
  const { name, version, type, imports } = JSON.parse(
    await readFile(path.join(root, 'package.json'), 'utf8'),
  ) as Record<string, unknown>;
  return JSON.stringify({ name, version, type, imports }, null, 2);
}
