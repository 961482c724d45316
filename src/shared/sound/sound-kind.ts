/* Recognizes the format of a speech server's answer, by its first bytes and its content type. */

/** Layout of samples. */
export type SampleFormat = {
  encoding: 'int' | 'float' | 'alaw' | 'ulaw';
  bits: number;
  isBigEndian: boolean;
  sampleRate: number;
  channels: number;
};

type SoundKind =
  | { type: 'wav' }
  | { type: 'raw'; format: SampleFormat }
  /** `name`: for people. */
  | { type: 'unreadable'; name: string };

/** OpenAI's `pcm`; compatible servers use the same. */
const USUAL: SampleFormat = {
  encoding: 'int',
  bits: 16,
  isBigEndian: false,
  sampleRate: 24_000,
  channels: 1,
};

const MAGIC: readonly { at: number; bytes: string; name: string }[] = [
  { at: 0, bytes: 'OggS', name: 'Ogg' },
  { at: 0, bytes: 'fLaC', name: 'FLAC' },
  { at: 0, bytes: 'ID3', name: 'MP3' },
  { at: 4, bytes: 'ftyp', name: 'MP4' },
  { at: 0, bytes: '\x1a\x45\xdf\xa3', name: 'WebM' },
  { at: 0, bytes: 'FORM', name: 'AIFF' },
  { at: 0, bytes: '.snd', name: 'AU' },
  { at: 0, bytes: 'caff', name: 'CAF' },
  { at: 0, bytes: '#!AMR', name: 'AMR' },
];
/** Any head that has this many bytes is enough. */
const HEAD_BYTES = 4_096;
const LEAST_BYTES = 12;

/** Null: `head` must be longer. `isComplete`: it is all that comes. */
export function soundKind(
  head: Uint8Array,
  contentType: string,
  isComplete: boolean,
): SoundKind | null {
  const isEnough = isComplete || head.length >= HEAD_BYTES;
  if (head.length < LEAST_BYTES && !isEnough) return null;
  const start = Buffer.from(head.subarray(0, HEAD_BYTES)).toString('latin1');
  if (/^(RIFF|RIFX|RF64)[^]{4}WAVE/.test(start)) return { type: 'wav' };
  const magic = MAGIC.find(({ at, bytes }) => start.startsWith(bytes, at));
  if (magic) return { type: 'unreadable', name: magic.name };
  if (isText(start, contentType)) return { type: 'unreadable', name: 'text' };
  const isSaid = /mpeg|mp3|aac/i.test(contentType);
  const frames = mpegFrames(head, isSaid ? HEAD_BYTES : 1);
  if (frames === 'MP3' || frames === 'AAC') return { type: 'unreadable', name: frames };
  if ((frames === 'unknown' || isSaid) && !isEnough) return null;
  return rawKind(head, contentType);
}

function rawKind(head: Uint8Array, contentType: string): SoundKind {
  const [type = '', ...parameters] = contentType.toLowerCase().split(';');
  const number = (name: RegExp, usual: number): number => {
    const value = parameters.map((text) => name.exec(text)?.[1]).find(Boolean);
    return value === undefined ? usual : Number(value);
  };
  const sampleRate = number(/^\s*(?:sample[_-]?)?rate\s*=\s*"?(\d{4,6})/, USUAL.sampleRate);
  const channels = number(/^\s*(?:num[_-]?)?channels\s*=\s*"?(\d{1,2})/, USUAL.channels);
  const rate8k = number(/^\s*(?:sample[_-]?)?rate\s*=\s*"?(\d{4,6})/, 8_000);
  const base = { ...USUAL, sampleRate, channels };
  if (/basic|pcmu|mulaw|ulaw/.test(type))
    return { type: 'raw', format: { ...base, encoding: 'ulaw', bits: 8, sampleRate: rate8k } };
  if (/pcma|alaw/.test(type))
    return { type: 'raw', format: { ...base, encoding: 'alaw', bits: 8, sampleRate: rate8k } };
  if (/f32|float/.test(contentType.toLowerCase()))
    return { type: 'raw', format: { ...base, encoding: 'float', bits: 32 } };
  // L16 is big-endian, but not all servers know.
  const isBigEndian = type.includes('l16') && isSmoother(head);
  return { type: 'raw', format: { ...base, isBigEndian } };
}

/** Errors with status 200. */
function isText(start: string, contentType: string): boolean {
  if (/json|text|html|xml/i.test(contentType)) return true;
  return /^\s*(?:\{\s*"|<!doctype|<html|<\?xml)/i.test(start) && !/[^\t\n\r\x20-\xff]/.test(start);
}

/** Whether neighbours differ less if the bytes are read as big-endian samples. */
function isSmoother(head: Uint8Array): boolean {
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  const roughness = (isLittleEndian: boolean): number => {
    let sum = 0;
    for (let at = 2; at + 2 <= head.length; at += 2)
      sum += Math.abs(view.getInt16(at, isLittleEndian) - view.getInt16(at - 2, isLittleEndian));
    return sum;
  };
  return roughness(false) < roughness(true);
}

/** `within`: where the first frame may begin. */
function mpegFrames(head: Uint8Array, within: number): 'MP3' | 'AAC' | 'unknown' | null {
  for (let at = 0; at < Math.min(within, head.length - 3); at += 1) {
    const bytes = mpegFrameBytes(head, at);
    if (bytes === null) continue;
    if (at + bytes + 4 > head.length) return 'unknown';
    if (mpegFrameBytes(head, at + bytes) !== null)
      return (head[at + 1]! & 0x06) === 0 ? 'AAC' : 'MP3';
  }
  return null;
}

const BIT_RATES = [
  [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
];
const RATES = [44_100, 48_000, 32_000];

/** Length of the MP3 or AAC frame that begins there. Null: none does. */
function mpegFrameBytes(head: Uint8Array, at: number): number | null {
  const [sync = 0, version = 0, rates = 0, lengthBits = 0] = head.subarray(at, at + 4);
  if (sync !== 0xff || (version & 0xe0) !== 0xe0) return null;
  if ((version & 0xf6) === 0xf0) {
    const bytes =
      ((lengthBits & 3) << 11) | ((head[at + 4] ?? 0) << 3) | ((head[at + 5] ?? 0) >> 5);
    return bytes > 7 && ((rates >> 2) & 15) < 13 ? bytes : null;
  }
  const generation = (version >> 3) & 3;
  const isLayer3 = (version & 0x06) === 0x02;
  const kbps = BIT_RATES[generation === 3 ? 0 : 1]![rates >> 4];
  const rate = RATES[(rates >> 2) & 3];
  if (generation === 1 || !isLayer3 || !kbps || rate === undefined) return null;
  const divided = { 3: 1, 2: 2, 0: 4 }[generation] ?? 1;
  const padding = (rates >> 1) & 1;
  return Math.floor(((generation === 3 ? 144_000 : 72_000) * kbps * divided) / rate) + padding;
}
