import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { CannotPerform } from '../runtime/performance.ts';
import { type Bundle, openBundle } from '../bundle/open-bundle.ts';
import type { BundleUse } from './bundle-cache.ts';
import { BuiltInPerformer } from './performer/built-in-performer.ts';
import { memoryOf } from './performer/face.ts';
import type { Performer } from './performer/performer.ts';
import { warmUp } from './warm-up.ts';

type Entry = { id: string; bundle: string };

const avatars = new URL('avatars/', import.meta.url);

/**
 * The avatars that ship with the software. They are opened at startup and kept open, so that
 * sessions read nothing from disk, and one is warmed up, so that the first session finds its code
 * compiled.
 */
export class BuiltInAvatars {
  /** By id; a damaged one as the error of its opening. */
  readonly #bundles: ReadonlyMap<string, Bundle | Error>;

  private constructor(bundles: ReadonlyMap<string, Bundle | Error>) {
    this.#bundles = bundles;
  }

  /**
   * Resolves when all are open: on two threads, opening them beside a session stopped its picture
   * for up to 0.4 s. `folder` contains catalog.json. Rejects if the first avatar is damaged.
   */
  static async open(folder = avatars): Promise<BuiltInAvatars> {
    const catalog = JSON.parse(await readFile(new URL('catalog.json', folder), 'utf8')) as Entry[];
    const bundles = new Map<string, Bundle | Error>();
    for (const { id, bundle } of catalog) {
      const file = fileURLToPath(new URL(bundle, folder));
      // One at a time, for the sessions of other workers on the machine.
      if (existsSync(file)) bundles.set(id, await openAvatar(file).catch((error: Error) => error));
    }
    const [firstAvatar] = bundles.values();
    if (firstAvatar instanceof Error) throw firstAvatar;
    if (firstAvatar) warmUpWith(firstAvatar);
    return new BuiltInAvatars(bundles);
  }

  get ids(): string[] {
    return [...this.#bundles.keys()];
  }

  /**
   * Sessions with different seeds move differently. Rejects with `CannotPerform` for an unknown or
   * damaged avatar.
   */
  async performer(avatarId: string, seed: string): Promise<Performer> {
    const { bundle } = await this.show(avatarId).catch((cause: unknown) => {
      throw new CannotPerform(`avatar ${avatarId} cannot be opened`, { cause });
    });
    return new BuiltInPerformer(bundle, { seed });
  }

  /** Stays open without its users. Rejects for an unknown or damaged avatar. */
  async show(avatarId: string): Promise<BundleUse> {
    return { bundle: this.#bundle(avatarId), release: () => {} };
  }

  async close(): Promise<void> {
    for (const bundle of this.#bundles.values()) if (!(bundle instanceof Error)) bundle.close();
  }

  #bundle(id: string): Bundle {
    const bundle = this.#bundles.get(id);
    if (bundle === undefined) throw new Error(`unknown avatar ${id}`);
    if (bundle instanceof Error) throw bundle;
    return bundle;
  }
}

async function openAvatar(file: string): Promise<Bundle> {
  const bundle = await openBundle(file);
  memoryOf(bundle.face);
  return bundle;
}

/** One avatar is enough: all run the same code. */
function warmUpWith(bundle: Bundle): void {
  const performer = new BuiltInPerformer(bundle, { seed: 'first' });
  warmUp(performer, bundle.face.manifest);
  performer.close();
}
