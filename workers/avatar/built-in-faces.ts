import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { CannotPerform } from '../runtime/performance.ts';
import { type Bundle, openBundle } from '../bundle/open.ts';
import { BuiltInPerformer } from './performer/built-in.ts';
import { memoryOf } from './performer/face.ts';
import type { Performer } from './performer/performer.ts';
import { warmUp } from './warm-up.ts';

type Entry = { id: string; bundle: string };

const avatars = new URL('avatars/', import.meta.url);

/**
 * The avatars that come with the software, opened before the first session needs them and kept open: a session then costs no reading, and
 * its first picture and first word none of the work that only the first one is.
 */
export class BuiltInFaces {
  readonly #files: ReadonlyMap<string, string>;
  readonly #opened = new Map<string, Promise<Bundle>>();
  #isClosed = false;

  private constructor(files: ReadonlyMap<string, string>) {
    this.#files = files;
  }

  /** Ready with the first of them; the others follow, and a session that wants one of these waits for it. `folder` holds a catalog.json. */
  static async open(folder = avatars): Promise<BuiltInFaces> {
    const catalog = JSON.parse(await readFile(new URL('catalog.json', folder), 'utf8')) as Entry[];
    const files = catalog
      .map(({ id, bundle }) => [id, fileURLToPath(new URL(bundle, folder))] as const)
      .filter(([, file]) => existsSync(file));
    const faces = new BuiltInFaces(new Map(files));
    const [first, ...others] = faces.ids;
    if (first !== undefined) await faces.#warmUp(first);
    void faces.#openInTurn(others);
    return faces;
  }

  get ids(): string[] {
    return [...this.#files.keys()];
  }

  /** `seed` keeps faces of different sessions out of lock-step. Rejects with a `CannotPerform` for an avatar that is not here or cannot be opened. */
  async performer(avatarId: string, seed: string): Promise<Performer> {
    const bundle = await this.#bundle(avatarId).catch((cause: unknown) => {
      throw new CannotPerform(`the avatar ${avatarId} cannot be opened here`, { cause });
    });
    return new BuiltInPerformer(bundle, { seed });
  }

  /** Also what is still being opened. */
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
    if (file === undefined) throw new Error(`there is no avatar ${id} here`);
    const bundle = await openBundle(file);
    memoryOf(bundle.face);
    return bundle;
  }

  /** One after the other: sessions that run already must keep time. */
  async #openInTurn(ids: string[]): Promise<void> {
    for (const id of ids) {
      if (this.#isClosed) return;
      // Whoever wants this one is told.
      await this.#bundle(id).catch(() => {});
    }
  }

  /** What is compiled for one face serves all. */
  async #warmUp(id: string): Promise<void> {
    const bundle = await this.#bundle(id);
    const performer = new BuiltInPerformer(bundle, { seed: 'first' });
    warmUp(performer, bundle.face.manifest);
    performer.close();
  }
}
