import { frameBytes } from '../performer/performer.ts';
import type { PictureSize } from '../transport/transport.ts';

/** Halves I420 pictures in both directions, each pixel the mean of four. */
export class HalfPicture {
  readonly size: PictureSize;
  readonly #from: PictureSize;
  readonly #i420: Uint8Array;

  /** Both sides of the whole picture must be multiples of four. */
  constructor(from: PictureSize) {
    if (from.width % 4 !== 0 || from.height % 4 !== 0)
      throw new RangeError(`no half of ${from.width} x ${from.height}`);
    this.#from = from;
    this.size = { width: from.width / 2, height: from.height / 2 };
    this.#i420 = new Uint8Array(frameBytes(this.size));
  }

  /** In memory that the next call overwrites. */
  of(i420: Uint8Array): Uint8Array {
    let [from, to] = [0, 0];
    for (const scale of [1, 2, 2]) {
      const [width, height] = [this.#from.width / scale, this.#from.height / scale];
      this.#halvePlane(i420, from, to, width, height);
      from += width * height;
      to += (width * height) / 4;
    }
    return this.#i420;
  }

  #halvePlane(i420: Uint8Array, from: number, to: number, width: number, height: number): void {
    const half = this.#i420;
    for (let y = 0, at = to; y < height; y += 2) {
      const above = from + y * width;
      const below = above + width;
      for (let x = 0; x < width; x += 2, at++) {
        const sum =
          i420[above + x]! + i420[above + x + 1]! + i420[below + x]! + i420[below + x + 1]!;
        half[at] = (sum + 2) >> 2;
      }
    }
  }
}
