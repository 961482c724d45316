/*
 * Keeps a reserve on the disk of the records, so that callers cannot fill it: ends of sessions,
 * logs and deletions still have room. Beyond the reserve SQLite and the file system refuse by
 * themselves.
 */
import { statfsSync } from 'node:fs';
import type { Log } from '#shared/log.ts';
import { Fault } from '../../errors.ts';
import type { Database } from './database.ts';

/**
 * All throw `storage_full` if the reserve would be touched. Held bytes count as used until they are
 * written.
 */
export interface DiskSpace {
  check(): Promise<void>;
  holdFile<Kept>(bytes: number, write: () => Promise<Kept>): Promise<Kept>;
  /** `db`: what `write` uses; a transaction blocks every other reader of SQLite. */
  holdRows<Kept>(bytes: number, db: Database, write: () => Promise<Kept>): Promise<Kept>;
}

/** The records are on another machine, whose disk is its operator's. */
export const boundless: DiskSpace = {
  check: async () => {},
  holdFile: (_bytes, write) => write(),
  holdRows: (_bytes, _db, write) => write(),
};

type DiskParts = {
  /** A folder on the disk. */
  folder: string;
  /** The reserve. */
  minFreeBytes: number;
  db: Database;
  /** Bytes that deleted rows left free within the database file. */
  reusableBytes: (db: Database) => Promise<number>;
  log: Pick<Log, 'warn'>;
};

export function diskSpace({ folder, minFreeBytes, db, reusableBytes, log }: DiskParts): DiskSpace {
  /** Bytes of allowed writes that are not complete. */
  let heldBytes = 0;
  let isWarned = false;

  /**
   * Rows fit into what deletions left; half of the reserve suffices for the log of their commit.
   */
  const fits = (bytes: number, reusable: number): boolean => {
    const { bavail, bsize } = statfsSync(folder);
    const free = bavail * bsize;
    return free >= minFreeBytes / 2 && free + reusable - heldBytes - bytes >= minFreeBytes;
  };

  const hold = async <Kept>(bytes: number, isAllowed: boolean, write: () => Promise<Kept>) => {
    if (!isAllowed) {
      if (!isWarned) log.warn({ folder, minFreeBytes }, 'disk almost full: writes are refused');
      isWarned = true;
      throw new Fault('storage_full');
    }
    isWarned = false;
    heldBytes += bytes;
    try {
      return await write();
    } finally {
      heldBytes -= bytes;
    }
  };

  const holdRows: DiskSpace['holdRows'] = async (bytes, through, write) =>
    hold(bytes, fits(bytes, 0) || fits(bytes, await reusableBytes(through)), write);

  return {
    check: () => holdRows(0, db, async () => {}),
    holdFile: async (bytes, write) => hold(bytes, fits(bytes, 0), write),
    holdRows,
  };
}
