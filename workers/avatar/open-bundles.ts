import type { Clock } from '#shared/clock.ts';
import type { Bundle } from '../bundle/open-bundle.ts';

/** How long an unused bundle stays open. */
const LINGER_MS = 60_000;

type OpenBundlesOptions = { clock: Clock; open: (key: string) => Promise<Bundle> };

/** One user's reference to an open bundle. */
export type BundleUse = { bundle: Bundle; release(): void };

type Entry = { opening: Promise<Bundle>; users: number; cancelClose: () => void };

/** Bundles that are opened once for all sessions that show them, and closed a while after. */
export class OpenBundles {
  readonly #options: OpenBundlesOptions;
  readonly #entries = new Map<string, Entry>();

  constructor(options: OpenBundlesOptions) {
    this.#options = options;
  }

  /** Rejects when the bundle cannot be opened. */
  async show(key: string): Promise<BundleUse> {
    const entry = this.#entries.get(key) ?? this.#add(key);
    entry.cancelClose();
    entry.users += 1;
    let isShown = true;
    const release = () => {
      if (!isShown) return;
      isShown = false;
      entry.users -= 1;
      if (entry.users === 0) this.#closeLater(key, entry);
    };
    try {
      return { bundle: await entry.opening, release };
    } catch (error) {
      // The next session tries again.
      if (this.#entries.get(key) === entry) this.#entries.delete(key);
      throw error;
    }
  }

  close(): void {
    for (const [key, entry] of this.#entries) {
      entry.cancelClose();
      this.#forget(key, entry);
    }
  }

  #add(key: string): Entry {
    const entry = { opening: this.#options.open(key), users: 0, cancelClose: () => {} };
    this.#entries.set(key, entry);
    return entry;
  }

  #closeLater(key: string, entry: Entry): void {
    if (this.#entries.get(key) !== entry) return;
    entry.cancelClose = this.#options.clock.after(LINGER_MS, () => this.#forget(key, entry));
  }

  #forget(key: string, entry: Entry): void {
    this.#entries.delete(key);
    entry.opening.then(
      (bundle) => bundle.close(),
      // `show` reported the error.
      () => {},
    );
  }
}
