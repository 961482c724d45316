import type { Assign } from '#protocol/gateway-messages.ts';
import { CannotPerform } from '../runtime/performance.ts';
import type { BuiltInFaces } from './built-in-faces.ts';
import type { BundleCache, Shown } from './bundle-cache.ts';
import { BuiltInPerformer } from './performer/built-in.ts';
import type { Performer } from './performer/performer.ts';
import type { Faces } from './worker.ts';

/** The avatars that come with the software, and those whose bundle an assignment names. */
export class AllFaces implements Faces {
  readonly #builtIn: Pick<BuiltInFaces, 'ids' | 'performer' | 'close'>;
  readonly #bundles: Pick<BundleCache, 'show' | 'close'>;

  constructor(
    builtIn: Pick<BuiltInFaces, 'ids' | 'performer' | 'close'>,
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
      : this.#show(bundle, seed);
  }

  async close(): Promise<void> {
    this.#bundles.close();
    await this.#builtIn.close();
  }

  async #show(hash: string, seed: string): Promise<Performer> {
    const shown = await this.#bundles.show(hash).catch((cause: unknown) => {
      throw new CannotPerform('its bundle cannot be opened here', { cause });
    });
    return releasing(new BuiltInPerformer(shown.bundle, { seed }), shown);
  }
}

/** Lets go of the bundle with the performer. */
function releasing(performer: BuiltInPerformer, shown: Shown): Performer {
  return {
    hear: (samples, atMs) => performer.hear(samples, atMs),
    hush: (atMs) => performer.hush(atMs),
    attend: (isListening) => performer.attend(isListening),
    feel: (emotion) => performer.feel(emotion),
    draw: (atMs, frame) => performer.draw(atMs, frame),
    close() {
      performer.close();
      shown.release();
    },
  };
}
