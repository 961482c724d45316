/*
 * A small real file system, to fill it: a tmpfs. Mounting one takes root on Linux. Without it the
 * tests of a full disk are skipped with a message; under CI that is a failure.
 */
import { spawnSync } from 'node:child_process';
import {
  closeSync,
  mkdtempSync,
  openSync,
  rmdirSync,
  rmSync,
  statfsSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const MIB = 1024 ** 2;

const newFolder = () => mkdtempSync(path.join(tmpdir(), 'troupe-disk-'));

const mount = (folder: string, mib: number) =>
  spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${mib}m,mode=0700`, 'tmpfs', folder]).status === 0;

function unmount(folder: string): void {
  // Lazily: a process that ends may still hold a file.
  spawnSync('umount', ['--lazy', folder]);
  rmdirSync(folder);
}

function canMount(): boolean {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false;
  const folder = newFolder();
  const isMounted = mount(folder, 1);
  unmount(folder);
  return isMounted;
}

export const hasSmallDisks = canMount();
if (!hasSmallDisks) {
  const problem =
    'no file system can be mounted: run as root on Linux (in a container with SYS_ADMIN)';
  if (process.env['CI']) throw new Error(problem);
  console.warn(`${problem} to run the tests of a full disk`);
}

/** The owner closes it. */
export class SmallDisk {
  readonly folder = newFolder();

  constructor(mib: number) {
    if (!mount(this.folder, mib)) throw new Error(`${this.folder} cannot be mounted`);
  }

  get freeBytes(): number {
    const { bavail, bsize } = statfsSync(this.folder);
    return bavail * bsize;
  }

  /** Fills it with a file of its own, but for the last `leave` bytes. */
  fill(leave = 0): void {
    const ballast = openSync(this.#ballast, 'a');
    const bytes = Buffer.alloc(MIB);
    try {
      while (this.freeBytes > leave) {
        writeSync(ballast, bytes, 0, Math.min(MIB, this.freeBytes - leave));
      }
    } finally {
      closeSync(ballast);
    }
  }

  /** Removes what `fill` wrote. */
  relieve(): void {
    rmSync(this.#ballast, { force: true });
  }

  makeReadOnly(): void {
    const { status } = spawnSync('mount', ['-o', 'remount,ro', this.folder]);
    if (status !== 0) throw new Error(`${this.folder} cannot be made read-only`);
  }

  close(): void {
    unmount(this.folder);
  }

  get #ballast(): string {
    return path.join(this.folder, 'ballast');
  }
}
