import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { CannotPerform } from '../runtime/performance.ts';
import { type Bundle, openBundle } from '../bundle/open.ts';
import type { Shown } from './bundle-cache.ts';
import { BuiltInPerformer } from './performer/built-in.ts';
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
  readonly #files: ReadonlyMap<string, string>;
  readonly #opened = new Map<string, Promise<Bundle>>();
  #isClosed = false;

  private constructor(files: ReadonlyMap<string, string>) {
    this.#files = files;
  }

  /**
   * Resolves when the first avatar is open; the others open in the background, at once: later, they would
   * delay frames of sessions. `folder` contains catalog.json.
   */
  static async open(folder = avatars): Promise<BuiltInAvatars> {
    const catalog = JSON.parse(await readFile(new URL('catalog.json', folder), 'utf8')) as Entry[];
    const files = catalog
      .map(({ id, bundle }) => [id, fileURLToPath(new URL(bundle, folder))] as const)
      .filter(([, file]) => existsSync(file));
    const builtIn = new BuiltInAvatars(new Map(files));
    const [first, ...others] = builtIn.ids;
    if (first !== undefined) await builtIn.#warmUp(first);
    void builtIn.#openOthers(others);
    return builtIn;
  }

  get ids(): string[] {
    return [...this.#files.keys()];
  }

  /**
   * Waits until the avatar is open. Sessions with different seeds move differently. Rejects with
   * `CannotPerform` for an unknown or damaged avatar.
   */
  async performer(avatarId: string, seed: string): Promise<Performer> {
    const bundle = await this.#bundle(avatarId).catch((cause: unknown) => {
      throw new CannotPerform(`avatar ${avatarId} cannot be opened`, { cause });
    });
    return new BuiltInPerformer(bundle, { seed });
  }

  /** Stays open without its users. Rejects for an unknown or damaged avatar. */
  async show(avatarId: string): Promise<Shown> {
    return { bundle: await this.#bundle(avatarId), release: () => {} };
  }

  /** Waits for avatars that are still opening, and closes them too. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const opening of this.#opened.values())
      await opening.then(
        (bundle) => bundle.close(),
        () => {},
      );
  }

  #bundle(id: string): Promise<Bundle> {
    const opening = this.#opened.get(id) ?? this.#open(id);
    this.#opened.set(id, opening);
    return opening;
  }

  async #open(id: string): Promise<Bundle> {
    const file = this.#files.get(id);
    if (file === undefined) throw new Error(`unknown avatar ${id}`);
    const bundle = await openBundle(file);
    memoryOf(bundle.face);
    return bundle;
  }

  /** One at a time: running sessions must keep their frame rate. */
  async #openOthers(ids: string[]): Promise<void> {
    for (const id of ids) {
      if (this.#isClosed) return;
      // `performer` reports the error.
      await this.#bundle(id).catch(() => {});
    }
  }

  /** One avatar is enough: all run the same code. */
  async #warmUp(id: string): Promise<void> {
    const bundle = await this.#bundle(id);
    const performer = new BuiltInPerformer(bundle, { seed: 'first' });
    warmUp(performer, bundle.face.manifest);
    performer.close();
  }
}
