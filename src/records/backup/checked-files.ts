/* Files of a backup with their SHA-256 sums. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, readFile, rm, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { OperatorError } from '#shared/process/operator-error.ts';
import { SUMS_FILE } from './manifest.ts';

/** Writes files that only their owner may read. */
export class CheckedFiles {
  readonly #folder: string;
  readonly #sums = new Map<string, string>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Writes or replaces the file. */
  async write(name: string, chunks: AsyncIterable<Uint8Array | string>): Promise<void> {
    const at = path.join(this.#folder, name);
    await mkdir(path.dirname(at), { recursive: true, mode: 0o700 });
    const file = await open(at, 'w', 0o600);
    try {
      this.#sums.set(name, await writeAll(file, chunks));
      await file.sync();
    } finally {
      await file.close();
    }
  }

  has(name: string): boolean {
    return this.#sums.has(name);
  }

  async remove(name: string): Promise<void> {
    this.#sums.delete(name);
    await rm(path.join(this.#folder, name));
  }

  async writeSums(): Promise<void> {
    const lines = [...this.#sums].map(([name, sum]) => `${sum}  ${name}\n`);
    await this.write(SUMS_FILE, once(lines.join('')));
  }
}

async function writeAll(
  file: FileHandle,
  chunks: AsyncIterable<Uint8Array | string>,
): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of chunks) {
    hash.update(chunk);
    await file.writeFile(chunk);
  }
  return hash.digest('hex');
}

// oxlint-disable-next-line require-await -- an asynchronous sequence of one
export async function* once(chunk: Uint8Array | string): AsyncGenerator<Uint8Array | string> {
  yield chunk;
}

/** Names of the files, all unchanged. Throws an error that names a missing or changed one. */
export async function checkFiles(folder: string): Promise<Set<string>> {
  const names = new Set<string>();
  for (const line of (await readFile(path.join(folder, SUMS_FILE), 'utf8')).split('\n')) {
    if (line === '') continue;
    const [, sum, name] = /^([0-9a-f]{64}) {2}((?:[\w.-]+\/)?[\w-][\w.-]*)$/.exec(line) ?? [];
    if (!sum || !name)
      throw new OperatorError(`${SUMS_FILE} has a line that cannot be read: ${line}`);
    if ((await sumOf(path.join(folder, name))) !== sum) {
      throw new OperatorError(`The backup is damaged: ${name} has changed or is missing.`);
    }
    names.add(name);
  }
  return names;
}

async function sumOf(file: string): Promise<string | null> {
  const hash = createHash('sha256');
  try {
    for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
  return hash.digest('hex');
}
