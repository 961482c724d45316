import { readFileSync } from 'node:fs';
import { BLOCK_BYTES, BLOCKS, MACROBLOCK, ROW_BYTES, ROW_BYTES_PER_BLOCK } from './coder/layout.ts';
import { header } from './header.ts';
import { quantisers } from './quantisers.ts';
import { coderTables } from './tables.ts';

export type JpegOptions = {
  /** In pixels, both even. */
  width: number;
  height: number;
  /** 1..100, as in libjpeg. */
  quality: number;
};

/** Exports of coder/index.ts. Addresses refer to its memory. */
type Coder = {
  setUp(columns: number, rows: number, tables: number, coded: number, spare: number): void;
  pad(
    from: number,
    width: number,
    height: number,
    to: number,
    paddedWidth: number,
    paddedHeight: number,
  ): void;
  encode(picture: number, previousPicture: number, starts: number, previousStarts: number): number;
};

/** Addresses of a picture and its code. */
type Picture = { samples: number; starts: number; jpeg: number };

const PAGE = 65_536;
const ALIGNED = 64;

let compiled: WebAssembly.Module | undefined;

/**
 * Encodes the pictures of one session as baseline JPEG, 4:2:0. Only what changed since the last
 * picture is encoded. The memory has a fixed size.
 */
export class JpegEncoder {
  readonly #size: { width: number; height: number };
  readonly #padded: { width: number; height: number };
  readonly #coder: Coder;
  readonly #bytes: Uint8Array<ArrayBuffer>;
  /** Where a picture arrives that is not of whole macroblocks. */
  readonly #unpadded: number;
  #nextPicture: Picture;
  #previousPicture: Picture;
  #isFirst = true;

  constructor({ width, height, quality }: JpegOptions) {
    if (!isSide(width) || !isSide(height)) throw new RangeError('width, height: even, to 65534');
    if (!(quality >= 1 && quality <= 100)) throw new RangeError('quality: 1 to 100');
    const [columns, rows] = [Math.ceil(width / MACROBLOCK), Math.ceil(height / MACROBLOCK)];
    this.#size = { width, height };
    this.#padded = { width: columns * MACROBLOCK, height: rows * MACROBLOCK };
    const steps = quantisers(quality);
    const start = header({ width, height, columns, quantisers: steps });
    const tables = coderTables(steps);

    let end = ALIGNED;
    const claim = (bytes: number) => {
      const at = end;
      end = Math.ceil((at + bytes) / ALIGNED) * ALIGNED;
      return at;
    };
    const blocks = columns * rows * BLOCKS;
    const claimPicture = () => ({
      samples: claim(blocks * 64),
      starts: claim(4 * (rows + 1)),
      jpeg: claim(start.length + rows * ROW_BYTES + blocks * ROW_BYTES_PER_BLOCK),
    });
    const [tablesAt, coded, spare] = [
      claim(tables.length),
      claim(blocks * BLOCK_BYTES),
      claim(128),
    ];
    this.#unpadded = claim(this.#isPadded ? width * height * 1.5 : 0);
    [this.#nextPicture, this.#previousPicture] = [claimPicture(), claimPicture()];

    const memory = new WebAssembly.Memory({
      initial: Math.ceil(end / PAGE),
      maximum: Math.ceil(end / PAGE),
    });
    this.#bytes = new Uint8Array(memory.buffer);
    this.#bytes.set(tables, tablesAt);
    const words = new DataView(memory.buffer);
    for (const { starts, jpeg } of [this.#nextPicture, this.#previousPicture]) {
      this.#bytes.set(start, jpeg);
      words.setUint32(starts, jpeg + start.length, true);
    }
    compiled ??= new WebAssembly.Module(readFileSync(new URL('coder/jpeg.wasm', import.meta.url)));
    const instance = new WebAssembly.Instance(compiled, { env: { memory } });
    this.#coder = instance.exports as unknown as Coder;
    this.#coder.setUp(columns, rows, tablesAt, coded, spare);
  }

  /**
   * Takes a packed I420 picture (BT.601, limited range). Returns null if it equals the last one.
   * The caller owns the result.
   */
  encode(i420: Uint8Array): Uint8Array | null {
    const { width, height } = this.#size;
    if (i420.length !== width * height * 1.5)
      throw new RangeError(`not an I420 picture of ${width} x ${height}`);
    const [nextPicture, previousPicture] = [this.#nextPicture, this.#previousPicture];
    this.#put(i420, nextPicture.samples);
    const end = this.#isFirst
      ? this.#coder.encode(nextPicture.samples, 0, nextPicture.starts, 0)
      : this.#coder.encode(
          nextPicture.samples,
          previousPicture.samples,
          nextPicture.starts,
          previousPicture.starts,
        );
    if (end === 0) return null;
    this.#isFirst = false;
    [this.#nextPicture, this.#previousPicture] = [previousPicture, nextPicture];
    return this.#bytes.slice(nextPicture.jpeg, end);
  }

  #put(i420: Uint8Array, at: number) {
    if (!this.#isPadded) {
      this.#bytes.set(i420, at);
      return;
    }
    this.#bytes.set(i420, this.#unpadded);
    const [{ width, height }, padded] = [this.#size, this.#padded];
    let from = this.#unpadded;
    for (const scale of [1, 2, 2]) {
      const [w, h] = [padded.width / scale, padded.height / scale];
      this.#coder.pad(from, width / scale, height / scale, at, w, h);
      from += (width * height) / scale ** 2;
      at += w * h;
    }
  }

  get #isPadded(): boolean {
    return this.#padded.width !== this.#size.width || this.#padded.height !== this.#size.height;
  }
}

const isSide = (side: number) =>
  Number.isInteger(side) && side > 0 && side < PAGE && side % 2 === 0;
