/*
 * The bundles of avatars that did not come with the software: got from the control plane once, kept in a folder that stays within its bound, and
 * opened once for all who show them. One that nobody shows is closed after a while, and one that nobody has opened for a day is deleted: what
 * its owner has deleted is then gone from here too.
 *
 * Files are named by their hash and appear whole. A file is trusted only by its bytes, each time that it is opened: the folder may be anybody's.
 * Owns what it has opened; `close` closes all of it.
 */
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Clock } from '#shared/clock.ts';
import { newName } from '#shared/ids.ts';
import type { Log } from '#shared/log.ts';
import { nameOf, type Blobs } from '../runtime/blobs.ts';
import { openBundle, type Bundle } from '../bundle/open.ts';

/** How long a bundle that nobody shows stays open. */
const LINGER_MS = 60_000;
/** How long a file that nobody opens is kept. */
const KEEP_MS = 24 * 3_600_000;
const TIDY_EVERY_MS = 3_600_000;

export type BundleCacheOptions = {
  folder: string;
  maxBytes: number;
  blobs: Pick<Blobs, 'get'>;
  clock: Clock;
  log: Log;
};

/** Somebody's hold on an open bundle. */
export type Shown = { bundle: Bundle; release(): void };

type Held = { opening: Promise<Bundle>; users: number; cancelClose: () => void };

export class BundleCache {
  readonly #options: BundleCacheOptions;
  readonly #held = new Map<string, Held>();
  #cancelTidy: () => void = () => {};

  constructor(options: BundleCacheOptions) {
    this.#options = options;
    this.#tidyLater();
  }

  /** Rejects when the bundle cannot be had, or is none that this version opens. */
  async show(hash: string): Promise<Shown> {
    const held = this.#held.get(hash) ?? this.#hold(hash);
    held.cancelClose();
    held.users += 1;
    let isShown = true;
    const release = () => {
      if (!isShown) return;
      isShown = false;
      held.users -= 1;
      if (held.users === 0) this.#closeLater(hash, held);
    };
    try {
      return { bundle: await held.opening, release };
    } catch (error) {
      // The next one who wants it tries again.
      if (this.#held.get(hash) === held) this.#held.delete(hash);
      throw error;
    }
  }

  close(): void {
    this.#cancelTidy();
    for (const [hash, held] of this.#held) {
      held.cancelClose();
      this.#forget(hash, held);
    }
  }

  #hold(hash: string): Held {
    const held = { opening: this.#open(hash), users: 0, cancelClose: () => {} };
    this.#held.set(hash, held);
    return held;
  }

  #closeLater(hash: string, held: Held): void {
    if (this.#held.get(hash) !== held) return;
    held.cancelClose = this.#options.clock.after(LINGER_MS, () => this.#forget(hash, held));
  }

  #forget(hash: string, held: Held): void {
    this.#held.delete(hash);
    held.opening.then(
      (bundle) => bundle.close(),
      // Whoever wanted it was told.
      () => {},
    );
  }

  async #open(hash: string): Promise<Bundle> {
    const { folder, log } = this.#options;
    const file = path.join(folder, hash);
    if (!(await isWhole(file, hash))) await this.#fetch(hash, file);
    // What was used last goes last.
    const now = new Date(this.#options.clock.now());
    await utimes(file, now, now);
    const bundle = await openBundle(file);
    await this.#tidy(hash).catch((err: unknown) => log.warn({ err }, 'bundle cache not tidied'));
    return bundle;
  }

  #tidyLater(): void {
    const { clock, log } = this.#options;
    this.#cancelTidy = clock.after(TIDY_EVERY_MS, () => {
      this.#tidyLater();
      this.#tidy().catch((err: unknown) => log.warn({ err }, 'bundle cache not tidied'));
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

  /** The least recently used go first; `kept` stays, however large. */
  async #tidy(kept?: string): Promise<void> {
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
      if ((total <= maxBytes && !isOld) || name === kept) continue;
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
