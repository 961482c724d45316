import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Compiles AssemblyScript as the npm script does, and compares with the committed file. */
export async function matchesSource(script: string): Promise<boolean> {
  const folder = await mkdtemp(path.join(tmpdir(), 'troupe-wasm-'));
  const rebuiltFile = path.join(folder, 'made.wasm');
  const { scripts } = JSON.parse(await readFile(path.join(ROOT, 'package.json'), 'utf8'));
  const committedFile = /-o (\S+)/.exec(scripts[script])![1]!;
  const [, compiler] = scripts[script].replace(committedFile, rebuiltFile).split(' tool ') as [
    string,
    string,
  ];
  await promisify(execFile)(process.execPath, compiler.split(' '), { cwd: ROOT });
  const [a, b] = [await readFile(rebuiltFile), await readFile(path.join(ROOT, committedFile))];
  await rm(folder, { recursive: true });
  return a.equals(b);
}
