export type JpegOptions = {
  /** In pixels, both even. */
  width: number;
  height: number;
  /** 1..100, as libjpeg scales it. */
  quality: number;
};

/** Encodes the pictures of one session as baseline JPEG, 4:2:0. */
export class JpegEncoder {
  constructor({ width, height }: JpegOptions) {
    if (width % 2 !== 0 || height % 2 !== 0) throw new RangeError('width and height must be even');
  }

  /**
   * Takes a packed I420 picture (BT.601, limited range). Returns null if it equals the last one.
   * The caller owns the result.
   */
  encode(_i420: Uint8Array): Uint8Array | null {
    throw new Error('not implemented');
  }
}
