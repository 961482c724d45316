import type { Assign } from '#protocol/worker/gateway-messages.ts';
import type { DrawSheet } from '#protocol/worker/questions.ts';
import { CannotPerform } from '../runtime/performance.ts';
import type { BuiltInAvatars } from './built-in-avatars.ts';
import type { BundleCache, BundleUse } from './bundle-cache.ts';
import { BuiltInPerformer } from './performer/built-in-performer.ts';
import type { Performer } from './performer/performer.ts';
import type { Avatars } from './worker.ts';

/** The built-in avatars, and any other whose bundle the assignment names. */
export class AvatarLibrary implements Avatars {
  readonly #builtIn: Pick<BuiltInAvatars, 'ids' | 'performer' | 'show' | 'close'>;
  readonly #bundles: Pick<BundleCache, 'show' | 'close'>;

  constructor(
    builtIn: Pick<BuiltInAvatars, 'ids' | 'performer' | 'show' | 'close'>,
    bundles: Pick<BundleCache, 'show' | 'close'>,
  ) {
    this.#builtIn = builtIn;
    this.#bundles = bundles;
  }

  get ids(): string[] {
    return this.#builtIn.ids;
  }

  readonly opensBundles = true;

  performer({ avatarId, bundle, placement }: Assign): Promise<Performer> {
    const seed = placement.sessionId;
    return bundle === undefined
      ? this.#builtIn.performer(avatarId, seed)
      : this.#perform(bundle, seed);
  }

  show({ avatarId, bundle }: Pick<DrawSheet, 'avatarId' | 'bundle'>): Promise<BundleUse> {
    return bundle === undefined ? this.#builtIn.show(avatarId) : this.#bundles.show(bundle);
  }

  async close(): Promise<void> {
    this.#bundles.close();
    await this.#builtIn.close();
  }

  async #perform(hash: string, seed: string): Promise<Performer> {
    const bundleUse = await this.#bundles.show(hash).catch((cause: unknown) => {
      throw new CannotPerform('the bundle of the avatar cannot be opened', { cause });
    });
    return releasing(new BuiltInPerformer(bundleUse.bundle, { seed }), bundleUse);
  }
}

/** Releases the bundle when the performer closes. */
function releasing(performer: BuiltInPerformer, bundleUse: BundleUse): Performer {
  return {
    hear: (samples, atMs) => performer.hear(samples, atMs),
    hush: (atMs) => performer.hush(atMs),
    attend: (isListening) => performer.attend(isListening),
    feel: (emotion) => performer.feel(emotion),
    move: (movement) => performer.move(movement),
    draw: (atMs, frame) => performer.draw(atMs, frame),
    close() {
      performer.close();
      bundleUse.release();
    },
  };
}
