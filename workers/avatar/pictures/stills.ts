import { STILL_SIDE } from '#protocol/pictures/stills.ts';
import { frameBytes } from '../performer/performer.ts';
import { JpegEncoder } from '../transport/botroom/jpeg/jpeg-encoder.ts';
import type { PictureSize } from '../transport/transport.ts';
import { type Part, shrink } from './shrink.ts';

const QUALITY = 70;

type StillMemory = { encoder: JpegEncoder; small: Uint8Array; lastJpeg: Uint8Array | null };

/** Small JPEGs of what one session shows. Allocates its memory with the first one. */
export class Stills {
  readonly #from: PictureSize;
  readonly #part: Part;
  readonly size: PictureSize;
  #memory: StillMemory | null = null;

  /** Shows `part` of frames of the size `from`, from their upper left corner. */
  constructor(from: PictureSize, { width, height }: PictureSize = from) {
    this.#from = from;
    this.#part = { x: 0, y: 0, width, height };
    const scale = Math.min(1, STILL_SIDE / Math.max(width, height));
    this.size = { width: even(width * scale), height: even(height * scale) };
  }

  take(i420: Uint8Array): Uint8Array {
    this.#memory ??= {
      encoder: new JpegEncoder({ ...this.size, quality: QUALITY }),
      small: new Uint8Array(frameBytes(this.size)),
      lastJpeg: null,
    };
    const { encoder, small, lastJpeg } = this.#memory;
    shrink({ i420, size: this.#from, part: this.#part }, small, this.size);
    // The encoder answers null for the picture that it had last.
    const jpeg = encoder.encode(small) ?? lastJpeg!;
    this.#memory.lastJpeg = jpeg;
    return jpeg;
  }
}

const even = (side: number): number => Math.max(2, Math.round(side / 2) * 2);
