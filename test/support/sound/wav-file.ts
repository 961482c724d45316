type WavFields = {
  rate?: number;
  channels?: number;
  bits?: number;
  /** 1: integers, 3: floats, 6: A-law, 7: µ-law, others: compressed. */
  tag?: number;
  isExtensible?: boolean;
  /** As in streams. */
  hasLength?: boolean;
  /** Before the samples. */
  extra?: Uint8Array;
};

/** A WAV file of encoded samples, with other chunks around them. */
export function wavFile(
  data: Uint8Array,
  {
    rate = 22_050,
    channels = 1,
    bits = 16,
    tag = 1,
    isExtensible = false,
    hasLength = true,
    extra = new Uint8Array(),
  }: WavFields = {},
): Buffer {
  const format = Buffer.alloc(isExtensible ? 40 : 16);
  format.writeUInt16LE(isExtensible ? 0xfffe : tag, 0);
  format.writeUInt16LE(channels, 2);
  format.writeUInt32LE(rate, 4);
  format.writeUInt32LE((rate * channels * bits) / 8, 8);
  format.writeUInt16LE((channels * bits) / 8, 12);
  format.writeUInt16LE(bits, 14);
  if (isExtensible) format.writeUInt16LE(tag, 24);
  const chunks = Buffer.concat([
    chunk('fmt ', format),
    ...(extra.length > 0 ? [chunk('LIST', extra)] : []),
    chunk('data', data, hasLength ? data.length : 0xffff_ffff),
    ...(hasLength ? [chunk('LIST', Buffer.from('made by a test'))] : []),
  ]);
  const head = Buffer.alloc(12);
  head.write('RIFF', 'latin1');
  head.writeUInt32LE(hasLength ? chunks.length + 4 : 0xffff_ffff, 4);
  head.write('WAVE', 8, 'latin1');
  return Buffer.concat([head, chunks]);
}

function chunk(name: string, bytes: Uint8Array, length = bytes.length): Buffer {
  const head = Buffer.alloc(8);
  head.write(name, 'latin1');
  head.writeUInt32LE(length, 4);
  return Buffer.concat([head, bytes, Buffer.alloc(bytes.length % 2)]);
}
