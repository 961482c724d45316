import type { Background } from '#protocol/pictures/frames.ts';
import type { Assign } from '#protocol/worker/gateway-messages.ts';
import type { DrawSheet } from '#protocol/worker/questions.ts';
import { CannotPerform } from '../runtime/performance.ts';
import type { BuiltInAvatars } from './built-in-avatars.ts';
import type { BundleCache } from './bundle-cache.ts';
import type { BundleUse } from './open-bundles.ts';
import { releasing } from './releasing-performer.ts';
import type { Backdrops } from './backdrops.ts';
import type { Backdrop } from './performer/backdrop.ts';
import { BuiltInPerformer, type PerformerOptions } from './performer/built-in-performer.ts';
import type { Performer } from './performer/performer.ts';
import type { Avatars } from './worker.ts';

type AvatarLibraryParts = {
  builtIn: Pick<BuiltInAvatars, 'ids' | 'performer' | 'show' | 'close'>;
  bundles: Pick<BundleCache, 'show' | 'close'>;
  backdrops: Pick<Backdrops, 'open'>;
};

/** The built-in avatars, and any other whose bundle the assignment names. */
export class AvatarLibrary implements Avatars {
  readonly #builtIn: Pick<BuiltInAvatars, 'ids' | 'performer' | 'show' | 'close'>;
  readonly #bundles: Pick<BundleCache, 'show' | 'close'>;
  readonly #backdrops: Pick<Backdrops, 'open'>;

  constructor({ builtIn, bundles, backdrops }: AvatarLibraryParts) {
    this.#builtIn = builtIn;
    this.#bundles = bundles;
    this.#backdrops = backdrops;
  }

  get ids(): string[] {
    return this.#builtIn.ids;
  }

  readonly opensBundles = true;

  async performer({ avatarId, bundle, placement, video }: Assign): Promise<Performer> {
    const { width, height, framing, background } = video;
    const backdrop = await this.#backdrops.open(background);
    const scene = { width, height, framing, backdrop };
    const options = { seed: placement.sessionId, scene };
    return bundle === undefined
      ? this.#builtIn.performer(avatarId, options)
      : this.#perform(bundle, options);
  }

  backdrop(background: Background): Promise<Backdrop> {
    return this.#backdrops.open(background);
  }

  show({ avatarId, bundle }: Pick<DrawSheet, 'avatarId' | 'bundle'>): Promise<BundleUse> {
    return bundle === undefined ? this.#builtIn.show(avatarId) : this.#bundles.show(bundle);
  }

  async close(): Promise<void> {
    this.#bundles.close();
    await this.#builtIn.close();
  }

  async #perform(hash: string, options: PerformerOptions): Promise<Performer> {
    const bundleUse = await this.#bundles.show(hash).catch((cause: unknown) => {
      throw new CannotPerform('the bundle of the avatar cannot be opened', { cause });
    });
    return releasing(new BuiltInPerformer(bundleUse.bundle, options), bundleUse);
  }
}
