import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Clock } from '#shared/clock.ts';
import { newName } from '#shared/ids.ts';
import type { Log } from '#shared/log.ts';
import { nameOf, type Blobs } from '../runtime/blobs.ts';
import { openBundle, type Bundle } from '../bundle/open-bundle.ts';
import { type BundleUse, OpenBundles } from './open-bundles.ts';

/**
 * How long an unused file is kept. A bundle deleted by its owner disappears here within this time.
 */
const KEEP_MS = 24 * 3_600_000;
const CLEAN_UP_EVERY_MS = 3_600_000;

type BundleCacheOptions = {
  folder: string;
  maxBytes: number;
  blobs: Pick<Blobs, 'get'>;
  clock: Clock;
  log: Log;
};

/**
 * Bundles of custom avatars: fetched once from the control plane, kept in a folder of bounded size,
 * and opened once for all sessions that show them. Files are named by their hash and written
 * atomically. The hash is checked each time a file is opened, because other processes may write to
 * the folder. Owns the open bundles.
 */
export class BundleCache {
  readonly #options: BundleCacheOptions;
  readonly #open: OpenBundles;
  #cancelCleanUp: () => void = () => {};

  constructor(options: BundleCacheOptions) {
    this.#options = options;
    this.#open = new OpenBundles({
      clock: options.clock,
      open: (hash) => this.#openFile(hash),
    });
    this.#cleanUpLater();
  }

  /** Rejects when the bundle cannot be fetched or opened. */
  show(hash: string): Promise<BundleUse> {
    return this.#open.show(hash);
  }

  close(): void {
    this.#cancelCleanUp();
    this.#open.close();
  }

  async #openFile(hash: string): Promise<Bundle> {
    const { folder, log } = this.#options;
    const file = path.join(folder, hash);
    if (!(await isWhole(file, hash))) await this.#fetch(hash, file);
    // Files are deleted in the order of their modification time.
    const now = new Date(this.#options.clock.now());
    await utimes(file, now, now);
    const bundle = await openBundle(file);
    await this.#cleanUp(hash).catch((err: unknown) =>
      log.warn({ err }, 'bundle cache cleanup failed'),
    );
    return bundle;
  }

  #cleanUpLater(): void {
    const { clock, log } = this.#options;
    this.#cancelCleanUp = clock.after(CLEAN_UP_EVERY_MS, () => {
      this.#cleanUpLater();
      this.#cleanUp().catch((err: unknown) => log.warn({ err }, 'bundle cache cleanup failed'));
    });
  }

  async #fetch(hash: string, file: string): Promise<void> {
    const { folder, blobs, log } = this.#options;
    const bytes = await blobs.get(hash);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const staged = path.join(folder, newName('staged'));
    try {
      await writeFile(staged, bytes, { mode: 0o600, flag: 'wx' });
      await rename(staged, file);
    } finally {
      await rm(staged, { force: true });
    }
    log.info({ bundle: hash, bytes: bytes.length }, 'bundle fetched');
  }

  /** Deletes old files, then the least recently used until the rest fits; never `keptName`. */
  async #cleanUp(keptName?: string): Promise<void> {
    const { folder, maxBytes, clock } = this.#options;
    const names = await readdir(folder).catch(() => []);
    const files = await Promise.all(
      names.map(async (name) => {
        const { size, mtimeMs } = await stat(path.join(folder, name));
        return { name, size, mtimeMs };
      }),
    );
    let total = files.reduce((sum, { size }) => sum + size, 0);
    for (const { name, size, mtimeMs } of files.sort((a, b) => a.mtimeMs - b.mtimeMs)) {
      const isOld = mtimeMs < clock.now() - KEEP_MS;
      if ((total <= maxBytes && !isOld) || name === keptName) continue;
      await rm(path.join(folder, name), { force: true });
      total -= size;
    }
  }
}

async function isWhole(file: string, hash: string): Promise<boolean> {
  try {
    return nameOf(await readFile(file)) === hash;
  } catch {
    return false;
  }
}
