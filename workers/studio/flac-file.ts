/*
 * Decodes FLAC files of up to 16 bits: https://www.rfc-editor.org/rfc/rfc9639 (numbers in brackets
 * are its sections). Checks the decoded samples against the file's MD5.
 */
import { createHash } from 'node:crypto';

export function decodeFlac(bytes: Uint8Array) {
  const bits = new Bits(bytes);
  bits.skip(32);
  let stream: Stream | null = null;
  for (let isLast = false; !isLast;) {
    isLast = bits.read(1) === 1;
    const kind = bits.read(7);
    const end = bits.read(24) * 8 + bits.at;
    if (kind === 0) stream = readStream(bits);
    bits.at = end;
  }
  if (!stream || stream.depth > 16) throw new Error('FLAC: more than 16 bits per sample');
  const { channels, sampleRate, depth, sum } = stream;

  const pcm = new Int16Array(stream.samples * channels);
  for (let done = 0; done < stream.samples;) {
    const block = readFrame(bits, depth);
    block.forEach((samples, channel) => {
      for (let i = 0; i < samples.length; i++) pcm[(done + i) * channels + channel] = samples[i]!;
    });
    done += block[0]!.length;
  }
  const out = new Uint8Array(pcm.buffer);
  const isSummed = /[^0]/.test(sum) && depth === 16;
  if (isSummed && createHash('md5').update(out).digest('hex') !== sum) {
    throw new Error('FLAC: checksum mismatch');
  }
  return { channels, sampleRate, pcm: out };
}

type Stream = {
  sampleRate: number;
  channels: number;
  depth: number;
  samples: number;
  sum: string;
};

/** [8.2] */
function readStream(bits: Bits): Stream {
  bits.skip(80);
  const sampleRate = bits.read(20);
  const channels = bits.read(3) + 1;
  const depth = bits.read(5) + 1;
  const samples = bits.read(4) * 2 ** 32 + bits.read(16) * 65_536 + bits.read(16);
  const sum = Array.from({ length: 16 }, () => bits.read(8).toString(16).padStart(2, '0')).join('');
  return { sampleRate, channels, depth, samples, sum };
}

/** [9] One block of each channel. */
function readFrame(bits: Bits, depth: number): Int32Array[] {
  if (bits.read(15) !== 0b111111111111100) throw new Error('FLAC: frame expected');
  bits.skip(1);
  const sizeCode = bits.read(4);
  const rateCode = bits.read(4);
  const coupling = bits.read(4);
  bits.skip(4);
  skipNumber(bits);
  const size = readSize(bits, sizeCode);
  if (rateCode === 12) bits.skip(8);
  else if (rateCode > 12) bits.skip(16);
  bits.skip(8);

  const count = coupling < 8 ? coupling + 1 : 2;
  // The difference of two channels needs one more bit.
  const wide =
    coupling === LEFT_SIDE || coupling === MID_SIDE ? 1 : coupling === SIDE_RIGHT ? 0 : -1;
  const block = Array.from({ length: count }, (_, channel) =>
    readSubframe(bits, size, depth + (channel === wide ? 1 : 0)),
  );
  if (coupling >= LEFT_SIDE) decouple(block[0]!, block[1]!, coupling);
  bits.alignToByte();
  bits.skip(16);
  return block;
}

const LEFT_SIDE = 8;
const SIDE_RIGHT = 9;
const MID_SIDE = 10;

/** [9.1.5] The number of leading ones tells the length in bytes. */
function skipNumber(bits: Bits) {
  let length = 0;
  const lead = bits.read(8);
  for (let mask = 0x80; lead & mask; mask >>= 1) length++;
  bits.skip(8 * Math.max(0, length - 1));
}

/** [9.1.1] */
function readSize(bits: Bits, code: number): number {
  if (code === 1) return 192;
  if (code <= 5) return 576 << (code - 2);
  if (code === 6) return bits.read(8) + 1;
  if (code === 7) return bits.read(16) + 1;
  return 256 << (code - 8);
}

/** [4.2] */
function decouple(channelA: Int32Array, channelB: Int32Array, coupling: number) {
  for (let i = 0; i < channelA.length; i++) {
    const a = channelA[i]!;
    const b = channelB[i]!;
    if (coupling === LEFT_SIDE) channelB[i] = a - b;
    else if (coupling === SIDE_RIGHT) channelA[i] = a + b;
    else {
      const middle = (a << 1) | (b & 1);
      channelA[i] = (middle + b) >> 1;
      channelB[i] = (middle - b) >> 1;
    }
  }
}

/** [9.2] */
function readSubframe(bits: Bits, size: number, depthOfChannel: number): Int32Array {
  bits.skip(1);
  const kind = bits.read(6);
  const wasted = bits.read(1) ? bits.zeros() + 1 : 0;
  const depth = depthOfChannel - wasted;
  const samples = new Int32Array(size);
  if (kind === 0) samples.fill(bits.signed(depth));
  else if (kind === 1) for (let i = 0; i < size; i++) samples[i] = bits.signed(depth);
  else if (kind < 32) predict(bits, samples, depth, kind - 8, FIXED[kind - 8]);
  else predict(bits, samples, depth, kind - 31);
  if (wasted) for (let i = 0; i < size; i++) samples[i] = samples[i]! << wasted;
  return samples;
}

/** [9.2.5] Prediction of a sample from the last ones, newest first. */
const FIXED = [[], [1], [2, -1], [3, -3, 1], [4, -6, 4, -1]];

function predict(
  bits: Bits,
  samples: Int32Array,
  depth: number,
  order: number,
  fixed?: readonly number[],
) {
  for (let i = 0; i < order; i++) samples[i] = bits.signed(depth);
  let shift = 0;
  let factors = fixed;
  if (!factors) {
    const precision = bits.read(4) + 1;
    shift = bits.read(5);
    factors = Array.from({ length: order }, () => bits.signed(precision));
  }
  readResidual(bits, samples, order);
  const scale = 2 ** shift;
  for (let i = order; i < samples.length; i++) {
    // The sum may exceed 32 bits; a double holds it exactly.
    let sum = 0;
    for (let back = 0; back < order; back++) sum += factors[back]! * samples[i - 1 - back]!;
    samples[i] = samples[i]! + Math.floor(sum / scale);
  }
}

/** [9.2.7] */
function readResidual(bits: Bits, samples: Int32Array, order: number) {
  const wide = bits.read(2) === 1 ? 5 : 4;
  const parts = 1 << bits.read(4);
  let at = order;
  for (let part = 0; part < parts; part++) {
    const end = (samples.length / parts) * (part + 1);
    const rice = bits.read(wide);
    const isPlain = rice === 2 ** wide - 1;
    const depth = isPlain ? bits.read(5) : 0;
    for (; at < end; at++) {
      if (isPlain) samples[at] = depth > 0 ? bits.signed(depth) : 0;
      else {
        const folded = bits.zeros() * 2 ** rice + bits.read(rice);
        samples[at] = folded % 2 === 0 ? folded / 2 : -(folded + 1) / 2;
      }
    }
  }
}

class Bits {
  readonly #bytes: Uint8Array;
  /** Position in bits. */
  at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** Reads up to 24 bits. */
  read(count: number): number {
    const firstByte = this.at >> 3;
    const bytes = this.#bytes;
    const word =
      ((bytes[firstByte] ?? 0) << 24) |
      ((bytes[firstByte + 1] ?? 0) << 16) |
      ((bytes[firstByte + 2] ?? 0) << 8) |
      (bytes[firstByte + 3] ?? 0);
    if (count === 0) return 0;
    const value = (word << (this.at & 7)) >>> (32 - count);
    this.at += count;
    return value;
  }

  signed(count: number): number {
    const value = this.read(count);
    return value >= 2 ** (count - 1) ? value - 2 ** count : value;
  }

  /** Counts zeros before the next one, and consumes it. */
  zeros(): number {
    let count = 0;
    while (this.read(1) === 0) {
      count++;
      if (this.at > 8 * this.#bytes.length) throw new Error('FLAC: truncated file');
    }
    return count;
  }

  skip(count: number) {
    this.at += count;
  }

  alignToByte() {
    this.at = Math.ceil(this.at / 8) * 8;
  }
}
