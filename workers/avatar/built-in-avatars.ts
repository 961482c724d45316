import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Clock } from '#shared/clock.ts';
import { PLAIN_FRAME } from '#protocol/pictures/frames.ts';
import { CannotPerform } from '../runtime/performance.ts';
import { type Bundle, openBundle } from '../bundle/open-bundle.ts';
import { type BundleUse, OpenBundles } from './open-bundles.ts';
import { BuiltInPerformer, type PerformerOptions } from './performer/built-in-performer.ts';
import type { Performer } from './performer/performer.ts';
import { releasing } from './releasing-performer.ts';
import { warmUp } from './warm-up.ts';

type Entry = { id: string; bundle: string };

const avatars = new URL('avatars/', import.meta.url);

/**
 * The avatars that ship with the software. One is opened and warmed up at startup, so that the
 * first session finds its code compiled and its face laid out; the others are opened when they are
 * used.
 */
export class BuiltInAvatars {
  readonly #files: ReadonlyMap<string, string>;
  readonly #open: OpenBundles;

  private constructor(files: ReadonlyMap<string, string>, clock: Clock) {
    this.#files = files;
    this.#open = new OpenBundles({ clock, open: (id) => openBundle(this.#fileOf(id)) });
  }

  /** `folder` contains catalog.json. Rejects if the first avatar is damaged. */
  static async open(clock: Clock, folder = avatars): Promise<BuiltInAvatars> {
    const catalog = JSON.parse(await readFile(new URL('catalog.json', folder), 'utf8')) as Entry[];
    const files = catalog
      .map(({ id, bundle }) => [id, fileURLToPath(new URL(bundle, folder))] as const)
      .filter(([, file]) => existsSync(file));
    const builtIn = new BuiltInAvatars(new Map(files), clock);
    const [firstId] = builtIn.ids;
    // Never released: it stays open.
    if (firstId !== undefined) warmUpWith((await builtIn.show(firstId)).bundle);
    return builtIn;
  }

  get ids(): string[] {
    return [...this.#files.keys()];
  }

  /**
   * Sessions with different seeds move differently. Rejects with `CannotPerform` for an unknown or
   * damaged avatar.
   */
  async performer(avatarId: string, options: PerformerOptions): Promise<Performer> {
    const use = await this.show(avatarId).catch((cause: unknown) => {
      throw new CannotPerform(`avatar ${avatarId} cannot be opened`, { cause });
    });
    return releasing(new BuiltInPerformer(use.bundle, options), use);
  }

  /** Rejects for an unknown or damaged avatar. */
  show(avatarId: string): Promise<BundleUse> {
    return this.#open.show(avatarId);
  }

  async close(): Promise<void> {
    this.#open.close();
  }

  #fileOf(id: string): string {
    const file = this.#files.get(id);
    if (file === undefined) throw new Error(`unknown avatar ${id}`);
    return file;
  }
}

/** One avatar is enough: all run the same code. */
function warmUpWith(bundle: Bundle): void {
  const performer = new BuiltInPerformer(bundle, { seed: 'first', scene: PLAIN_FRAME });
  warmUp(performer, PLAIN_FRAME);
  performer.close();
}
