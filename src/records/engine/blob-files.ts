import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { newName } from '#shared/ids.ts';

/** Bytes on the disk, whole, under a name that nobody reads yet. */
export type StagedFile = {
  keepAs(name: string): Promise<void>;
  /** Does nothing once it is kept. */
  discard(): Promise<void>;
};

/** Where blobs are that are not in the records. */
export interface BlobFiles {
  /** Null where there are no files: the bytes go into the records. */
  stage(bytes: Uint8Array): Promise<StagedFile | null>;
  /** Null when there is none. */
  read(name: string): Promise<Uint8Array | null>;
  remove(name: string): Promise<void>;
  /** Removes what was last written before then and that nobody knows. */
  sweep(before: number, isKnown: (name: string) => Promise<boolean>): Promise<void>;
}

export const noFiles: BlobFiles = {
  stage: async () => null,
  read: async () => null,
  remove: async () => {},
  sweep: async () => {},
};

export function filesIn(folder: string): BlobFiles {
  const at = (name: string) => path.join(folder, name);
  return {
    async stage(bytes) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const staged = at(newName('staged'));
      const file = await open(staged, 'wx', 0o600);
      try {
        await file.writeFile(bytes);
        // Else a power cut may leave the name without the bytes.
        await file.sync();
      } finally {
        await file.close();
      }
      return {
        keepAs: (name) => rename(staged, at(name)),
        discard: () => rm(staged, { force: true }),
      };
    },

    async read(name) {
      return unlessMissing(readFile(at(name)), null);
    },

    remove: (name) => rm(at(name), { force: true }),

    async sweep(before, isKnown) {
      for (const name of await namesIn(folder)) {
        const { mtimeMs } = await stat(at(name));
        if (mtimeMs < before && !(await isKnown(name))) await rm(at(name), { force: true });
      }
    },
  };
}

/** Nobody has put anything there yet: none. */
const namesIn = (folder: string): Promise<string[]> => unlessMissing(readdir(folder), []);

async function unlessMissing<Found, None>(
  finding: Promise<Found>,
  none: None,
): Promise<Found | None> {
  try {
    return await finding;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return none;
    throw error;
  }
}
