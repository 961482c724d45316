import { frameBytes } from '../performer/performer.ts';
import type { PictureSize } from '../transport/transport.ts';

/**
 * Halves I420 pictures in both directions, each pixel the mean of four. The sides stay even, so up
 * to two columns and rows are cut off.
 */
export class HalfPicture {
  readonly size: PictureSize;
  readonly #from: PictureSize;
  readonly #i420: Uint8Array;

  constructor(from: PictureSize) {
    this.#from = from;
    this.size = { width: halfEven(from.width), height: halfEven(from.height) };
    this.#i420 = new Uint8Array(frameBytes(this.size));
  }

  /** In memory that the next call overwrites. */
  of(i420: Uint8Array): Uint8Array {
    let [from, to] = [0, 0];
    for (const scale of [1, 2, 2]) {
      const stride = this.#from.width / scale;
      const [width, height] = [this.size.width / scale, this.size.height / scale];
      this.#halvePlane(i420.subarray(from), stride, to, { width, height });
      from += stride * (this.#from.height / scale);
      to += width * height;
    }
    return this.#i420;
  }

  #halvePlane(plane: Uint8Array, stride: number, to: number, { width, height }: PictureSize): void {
    const half = this.#i420;
    for (let y = 0, at = to; y < height; y++) {
      const above = 2 * y * stride;
      const below = above + stride;
      for (let x = 0; x < 2 * width; x += 2, at++) {
        const sum =
          plane[above + x]! + plane[above + x + 1]! + plane[below + x]! + plane[below + x + 1]!;
        half[at] = (sum + 2) >> 2;
      }
    }
  }
}

const halfEven = (side: number): number => 2 * Math.floor(side / 4);
