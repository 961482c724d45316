import { readFile } from 'node:fs/promises';
import { type Background, SHIPPED_BACKGROUNDS } from '#protocol/pictures/frames.ts';
import { type BackgroundPicture, decodeBackground } from '../bundle/background-file.ts';
import { CannotPerform } from '../runtime/performance.ts';
import type { Blobs } from '../runtime/blobs.ts';
import { type Backdrop, OWN_ROOM } from './performer/backdrop.ts';

const shipped = new URL('backgrounds/', import.meta.url);
const shippedNames: ReadonlySet<string> = new Set(SHIPPED_BACKGROUNDS);

/** Pictures that stay open; the least recently used is forgotten. */
const MOST_OPEN = 4;

/** Opens the backgrounds of sessions: pictures that ship with the software, and uploaded ones. */
export class Backdrops {
  readonly #blobs: Pick<Blobs, 'get'>;
  readonly #folder: URL;
  readonly #open = new Map<string, Promise<BackgroundPicture>>();

  constructor({ blobs, folder = shipped }: { blobs: Pick<Blobs, 'get'>; folder?: URL }) {
    this.#blobs = blobs;
    this.#folder = folder;
  }

  /** Rejects with `CannotPerform` for a picture that cannot be fetched or opened. */
  async open(background: Background | undefined): Promise<Backdrop> {
    if (background === undefined) return OWN_ROOM;
    if (background.kind !== 'picture') return background;
    const { picture: name } = background;
    try {
      return { kind: 'picture', picture: await this.#picture(name) };
    } catch (cause) {
      throw new CannotPerform(`the background ${name} cannot be opened`, { cause });
    }
  }

  #picture(name: string): Promise<BackgroundPicture> {
    const opening = this.#open.get(name) ?? this.#read(name);
    this.#open.delete(name);
    this.#open.set(name, opening);
    // The next session tries again.
    opening.catch(() => this.#open.get(name) === opening && this.#open.delete(name));
    const [oldest] = this.#open.keys();
    if (this.#open.size > MOST_OPEN) this.#open.delete(oldest!);
    return opening;
  }

  async #read(name: string): Promise<BackgroundPicture> {
    const file = shippedNames.has(name)
      ? await readFile(new URL(`${name}.background`, this.#folder))
      : Buffer.from(await this.#blobs.get(name));
    return decodeBackground(file);
  }
}
