import type { SampleFormat } from './sound-kind.ts';

/** `dataBytes` null: up to the end, as in streams, whose header does not know the length. */
type WavHead = { format: SampleFormat; dataAt: number; dataBytes: number | null };

const RIFF_BYTES = 12;
const CHUNK_BYTES = 8;
const UNKNOWN_LENGTH = 0x7fff_0000;
const EXTENSIBLE = 0xfffe;
const ENCODINGS: Record<number, SampleFormat['encoding']> = {
  1: 'int',
  3: 'float',
  6: 'alaw',
  7: 'ulaw',
};

/** Null: the header must be longer. Throws for what is not PCM. */
export function readWavHead(bytes: Uint8Array): WavHead | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const isBigEndian = textAt(bytes, 0) === 'RIFX';
  let format: SampleFormat | null = null;
  for (let at = RIFF_BYTES; at + CHUNK_BYTES <= bytes.length;) {
    const name = textAt(bytes, at);
    const size = view.getUint32(at + 4, !isBigEndian);
    const from = at + CHUNK_BYTES;
    if (name === 'data') {
      if (!format) throw new Error('its header has no format');
      const isKnown = size > 0 && size < UNKNOWN_LENGTH;
      return { format, dataAt: from, dataBytes: isKnown ? size : null };
    }
    if (name === 'fmt ') {
      if (from + Math.min(size, 40) > bytes.length) return null;
      format = formatAt(view, from, size, isBigEndian);
    }
    // Chunks begin at even offsets.
    at = from + size + (size % 2);
  }
  return null;
}

function formatAt(view: DataView, at: number, size: number, isBigEndian: boolean): SampleFormat {
  const short = (offset: number): number => view.getUint16(at + offset, !isBigEndian);
  const tag = short(0) === EXTENSIBLE && size >= 26 ? short(24) : short(0);
  const [channels, bits] = [short(2), short(14)];
  const encoding = ENCODINGS[tag];
  if (!encoding) throw new Error(`it contains a compressed format (0x${tag.toString(16)})`);
  const isKnownSize = encoding === 'float' ? [32, 64] : encoding === 'int' ? [8, 16, 24, 32] : [8];
  if (!isKnownSize.includes(bits)) throw new Error(`it has ${bits} bits per sample`);
  return {
    encoding,
    bits,
    isBigEndian,
    channels,
    sampleRate: view.getUint32(at + 4, !isBigEndian),
  };
}

const textAt = (bytes: Uint8Array, at: number): string =>
  String.fromCharCode(...bytes.subarray(at, at + 4));
