import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { type Bundle, openBundle } from './bundle/open.ts';
import { BuiltInPerformer } from './performer/built-in.ts';
import type { Performer } from './performer/performer.ts';
import { warmUp } from './warm-up.ts';
import type { Faces } from './worker.ts';

type Entry = { id: string; bundle: string };

const folder = new URL('avatars/', import.meta.url);

/**
 * The avatars that come with the software, opened before the first session needs them and kept open: a session then costs no reading, and
 * its first picture and first word none of the work that only the first one is.
 */
export class BuiltInFaces implements Faces {
  readonly #bundles: Map<string, Bundle>;

  private constructor(bundles: Map<string, Bundle>) {
    this.#bundles = bundles;
  }

  static async open(): Promise<BuiltInFaces> {
    const catalog = JSON.parse(await readFile(new URL('catalog.json', folder), 'utf8')) as Entry[];
    const bundles = new Map<string, Bundle>();
    for (const { id, bundle } of catalog) {
      const file = fileURLToPath(new URL(bundle, folder));
      if (existsSync(file)) bundles.set(id, await openBundle(file));
    }
    const faces = new BuiltInFaces(bundles);
    for (const id of faces.ids) await faces.#warmUp(id);
    return faces;
  }

  get ids(): string[] {
    return [...this.#bundles.keys()];
  }

  /** `seed` keeps faces of different sessions out of lock-step. */
  performer(avatarId: string, seed: string): Promise<Performer> {
    const bundle = this.#bundles.get(avatarId);
    if (!bundle) throw new Error(`there is no avatar ${avatarId} here`);
    return Promise.resolve(new BuiltInPerformer(bundle, { seed }));
  }

  close(): void {
    for (const bundle of this.#bundles.values()) bundle.close();
  }

  async #warmUp(id: string): Promise<void> {
    const { width, height } = this.#bundles.get(id)!.face.manifest;
    const performer = await this.performer(id, 'first');
    warmUp(performer, { width, height });
    performer.close();
  }
}
