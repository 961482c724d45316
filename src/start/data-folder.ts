import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { OperatorError } from '#shared/process/operator-error.ts';

/** Enough for the keys and the first records. */
const PROBE_BYTES = 1024 ** 2;

/** Whether a service with SQLite was started in this data folder before. */
export const hasRecords = (folder: string): boolean =>
  existsSync(path.join(folder, 'troupe.sqlite'));

/**
 * Creates DATA_DIR and writes a file to it. `isNew`: there was no such folder. Throws an
 * OperatorError that says why the service could not keep anything there.
 */
export async function checkDataFolder(folder: string): Promise<{ isNew: boolean }> {
  const fullPath = path.resolve(folder);
  const probe = path.join(fullPath, `.written-by-${process.pid}`);
  try {
    const firstNew = await mkdir(fullPath, { recursive: true, mode: 0o700 }).catch(async () => {
      // With `recursive`, Node reports a read-only file system as ENOENT.
      await mkdir(fullPath, { mode: 0o700 });
      return fullPath;
    });
    await writeFile(probe, Buffer.alloc(PROBE_BYTES));
    return { isNew: firstNew !== undefined };
  } catch (cause) {
    throw new OperatorError(problemOf(cause as NodeJS.ErrnoException, fullPath), { cause });
  } finally {
    await rm(probe, { force: true }).catch(() => {});
  }
}

function problemOf({ code, message }: NodeJS.ErrnoException, folder: string): string {
  switch (code) {
    case 'ENOSPC':
    case 'EDQUOT':
      return `The disk with DATA_DIR (${folder}) is full: free some space, or set DATA_DIR to a folder on another disk.`;
    case 'EROFS':
      return `DATA_DIR (${folder}) is on a read-only file system: set DATA_DIR to a folder that can be written.`;
    case 'EACCES':
    case 'EPERM':
      return `DATA_DIR (${folder}) cannot be written by this user: change its owner or permissions, or set DATA_DIR to another folder.`;
    case 'ENOTDIR':
    case 'EEXIST':
      return `DATA_DIR (${folder}) is not a folder: remove the file of that name, or set DATA_DIR to another folder.`;
    case undefined:
    default:
      return `DATA_DIR (${folder}) cannot be used (${message}): set DATA_DIR to another folder.`;
  }
}
