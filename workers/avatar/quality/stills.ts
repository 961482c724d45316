import { STILL_SIDE } from '#protocol/stills.ts';
import { frameBytes } from '../performer/performer.ts';
import { JpegEncoder } from '../transport/botroom/jpeg/jpeg-encoder.ts';
import type { PictureSize } from '../transport/transport.ts';

const QUALITY = 70;

type Taking = { encoder: JpegEncoder; small: Uint8Array; last: Uint8Array | null };

/** Small JPEGs of what one session shows. Allocates its memory with the first one. */
export class Stills {
  readonly #from: PictureSize;
  readonly size: PictureSize;
  #taking: Taking | null = null;

  constructor(from: PictureSize) {
    this.#from = from;
    const scale = Math.min(1, STILL_SIDE / Math.max(from.width, from.height));
    this.size = { width: even(from.width * scale), height: even(from.height * scale) };
  }

  take(i420: Uint8Array): Uint8Array {
    this.#taking ??= {
      encoder: new JpegEncoder({ ...this.size, quality: QUALITY }),
      small: new Uint8Array(frameBytes(this.size)),
      last: null,
    };
    const { encoder, small, last } = this.#taking;
    shrink(i420, this.#from, small, this.size);
    // The encoder answers null for the picture that it had last.
    const jpeg = encoder.encode(small) ?? last!;
    this.#taking.last = jpeg;
    return jpeg;
  }
}

const even = (side: number): number => Math.max(2, Math.round(side / 2) * 2);

/** Each pixel is the mean of those that it covers. */
function shrink(from: Uint8Array, size: PictureSize, to: Uint8Array, small: PictureSize): void {
  let [source, target] = [0, 0];
  for (const scale of [1, 2, 2]) {
    const plane = { width: size.width / scale, height: size.height / scale };
    const smaller = { width: small.width / scale, height: small.height / scale };
    shrinkPlane(from.subarray(source), plane, to.subarray(target), smaller);
    source += plane.width * plane.height;
    target += smaller.width * smaller.height;
  }
}

function shrinkPlane(
  from: Uint8Array,
  { width, height }: PictureSize,
  to: Uint8Array,
  small: PictureSize,
): void {
  const columns = bounds(width, small.width);
  const rows = bounds(height, small.height);
  let at = 0;
  for (let row = 0; row < small.height; row++) {
    const [top, bottom] = [rows[row]!, rows[row + 1]!];
    for (let column = 0; column < small.width; column++) {
      const [left, right] = [columns[column]!, columns[column + 1]!];
      let sum = 0;
      for (let y = top; y < bottom; y++)
        for (let x = left; x < right; x++) sum += from[y * width + x]!;
      to[at++] = Math.round(sum / ((bottom - top) * (right - left)));
    }
  }
}

/** Where each of `parts` begins and ends. */
const bounds = (length: number, parts: number): number[] =>
  Array.from({ length: parts + 1 }, (_, part) => Math.floor((part * length) / parts));
