import type { SampleFormat } from './sound-kind.ts';

/** One sample in units of 16-bit PCM. */
export function sampleAt(view: DataView, at: number, format: SampleFormat): number {
  const { encoding, bits } = format;
  const isLittleEndian = !format.isBigEndian;
  switch (encoding) {
    case 'ulaw':
      return fromUlaw(view.getUint8(at));
    case 'alaw':
      return fromAlaw(view.getUint8(at));
    case 'float': {
      const value =
        bits === 64 ? view.getFloat64(at, isLittleEndian) : view.getFloat32(at, isLittleEndian);
      return Number.isFinite(value) ? value * 32_767 : 0;
    }
    case 'int':
      if (bits === 8) return (view.getUint8(at) - 128) * 256;
      if (bits === 16) return view.getInt16(at, isLittleEndian);
      if (bits === 24) return view.getInt16(isLittleEndian ? at + 1 : at, isLittleEndian);
      return view.getInt16(isLittleEndian ? at + 2 : at, isLittleEndian);
  }
}

/** G.711. */
function fromUlaw(byte: number): number {
  const bits = ~byte & 0xff;
  const magnitude = ((((bits & 0x0f) << 3) + 0x84) << ((bits >> 4) & 7)) - 0x84;
  return bits & 0x80 ? -magnitude : magnitude;
}

function fromAlaw(byte: number): number {
  const bits = byte ^ 0x55;
  const exponent = (bits >> 4) & 7;
  const mantissa = ((bits & 0x0f) << 4) + 8;
  const magnitude = exponent === 0 ? mantissa : (mantissa + 0x100) << (exponent - 1);
  return bits & 0x80 ? magnitude : -magnitude;
}
