import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { newName } from '#shared/ids.ts';
import { Fault } from '../../errors.ts';

/** A complete file under a temporary name. */
type StagedFile = {
  keepAs(name: string): Promise<void>;
  /** Does nothing after `keepAs`. */
  discard(): Promise<void>;
};

/** Storage for blobs outside the database. */
export interface BlobFiles {
  /**
   * Null without file storage: the bytes go into the database. Throws `storage_full` if the disk is
   * full.
   */
  stage(bytes: Uint8Array): Promise<StagedFile | null>;
  /** Null if there is no such file. */
  read(name: string): Promise<Uint8Array | null>;
  /** Up to `count` first bytes; null if there is no such file. */
  readStart(name: string, count: number): Promise<Uint8Array | null>;
  /** Names of all files, staged ones too. */
  names(): Promise<string[]>;
  remove(name: string): Promise<void>;
  /** Removes unknown files last written before then. */
  sweep(cutoff: number, isKnown: (name: string) => Promise<boolean>): Promise<void>;
}

export const noFiles: BlobFiles = {
  stage: async () => null,
  read: async () => null,
  readStart: async () => null,
  names: async () => [],
  remove: async () => {},
  sweep: async () => {},
};

export function filesIn(folder: string): BlobFiles {
  const at = (name: string) => path.join(folder, name);
  return {
    async stage(bytes) {
      const staged = at(newName('staged'));
      const discard = () => rm(staged, { force: true });
      try {
        await mkdir(folder, { recursive: true, mode: 0o700 });
        await write(staged, bytes);
      } catch (error) {
        await discard();
        throw isDiskFull(error) ? new Fault('storage_full', { cause: error }) : error;
      }
      return { keepAs: (name) => rename(staged, at(name)), discard };
    },

    async read(name) {
      return unlessMissing(readFile(at(name)), null);
    },

    async readStart(name, count) {
      const file = await unlessMissing(open(at(name)), null);
      if (!file) return null;
      try {
        const { buffer, bytesRead } = await file.read(Buffer.alloc(count), 0, count, 0);
        return buffer.subarray(0, bytesRead);
      } finally {
        await file.close();
      }
    },

    names: () => namesIn(folder),

    remove: (name) => rm(at(name), { force: true }),

    async sweep(cutoff, isKnown) {
      for (const name of await namesIn(folder)) {
        const { mtimeMs } = await stat(at(name));
        if (mtimeMs < cutoff && !(await isKnown(name))) await rm(at(name), { force: true });
      }
    },
  };
}

async function write(name: string, bytes: Uint8Array): Promise<void> {
  const file = await open(name, 'wx', 0o600);
  try {
    await file.writeFile(bytes);
    // Without it, a power cut may leave the name without the bytes.
    await file.sync();
  } finally {
    await file.close();
  }
}

const namesIn = (folder: string): Promise<string[]> => unlessMissing(readdir(folder), []);

async function unlessMissing<Found, None>(
  finding: Promise<Found>,
  none: None,
): Promise<Found | None> {
  try {
    return await finding;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return none;
    throw error;
  }
}

export const isDiskFull = (error: unknown): boolean =>
  ['ENOSPC', 'EDQUOT'].includes(String(codeOf(error)));

const codeOf = (error: unknown): unknown =>
  error instanceof Error && 'code' in error ? error.code : undefined;
