/*
 * Recognizes files by their bytes, whatever their names say. The kinds that nothing here decodes
 * are recognized as well, so that their owners learn what to do.
 */
import type { PictureProblem } from './picture-problems.ts';
import { isRawTiff } from './tiff-tags.ts';

/** Kinds that workers decode. */
const PICTURE_KINDS = ['jpeg', 'png', 'webp', 'heic', 'avif', 'gif', 'tiff'] as const;
export type PictureKind = (typeof PICTURE_KINDS)[number];

type Recognized = { kind: PictureKind } | { problem: PictureProblem };

/** Their first bytes in Latin-1; `?` stands for any byte. The first that fits holds. */
const SIGNATURES: readonly (readonly [Recognized, ...string[]])[] = [
  [{ kind: 'jpeg' }, '\xff\xd8\xff'],
  [{ kind: 'png' }, '\x89PNG\r\n\x1a\n'],
  [{ kind: 'webp' }, 'RIFF????WEBP'],
  [{ kind: 'gif' }, 'GIF87a', 'GIF89a'],
  [
    { problem: 'raw_photo' },
    'II\x2a\0????CR',
    'IIRO',
    'IIRS',
    'MMOR',
    'IIU\0',
    'FUJIFILMCCD-RAW',
    'FOVb',
    '\0MRM',
  ],
  [{ problem: 'jpeg_xr' }, 'II\xbc'],
  [{ kind: 'tiff' }, 'II\x2a\0', 'MM\0\x2a', 'II\x2b\0', 'MM\0\x2b'],
  [{ problem: 'jpeg_2000' }, '\0\0\0\x0cjP  \r\n', '\xff\x4f\xff\x51'],
  [{ problem: 'jpeg_xl' }, '\xff\x0a', '\0\0\0\x0cJXL '],
  [{ problem: 'bitmap' }, 'BM????\0\0\0\0'],
  [{ problem: 'icon' }, '\0\0\x01\0', '\0\0\x02\0'],
  [{ problem: 'layered' }, '8BPS', 'gimp xcf'],
  [{ problem: 'pdf' }, '%PDF-', '%!PS', '\xc5\xd0\xd3\xc6'],
  [
    { problem: 'video' },
    '\x1a\x45\xdf\xa3',
    'RIFF????AVI ',
    'FLV\x01',
    'OggS',
    '\0\0\x01\xba',
    '\0\0\x01\xb3',
    '\x30\x26\xb2\x75',
    '????moov',
    '????mdat',
    '????wide',
    '????free',
    '????skip',
  ],
  [{ problem: 'archive' }, 'PK\x03\x04', 'Rar!', '7z\xbc\xaf', '\x1f\x8b', '\xd0\xcf\x11\xe0'],
  [
    { problem: 'other_picture' },
    'qoif',
    'v/1\x01',
    '#?RADIANCE',
    'DDS ',
    'SIMPLE  =',
    'BPG\xfb',
    '\xd7\xcd\xc6\x9a',
    'P1\n',
    'P2\n',
    'P3\n',
    'P4\n',
    'P5\n',
    'P6\n',
    'P7\n',
    'FORM????ILBM',
    '\x8aMNG',
    '\x0a\0\x01',
    '\x0a\x02\x01',
    '\x0a\x03\x01',
    '\x0a\x05\x01',
  ],
];

/** Brands of files that hold their parts in boxes. */
const BRANDS: readonly (readonly [RegExp, Recognized])[] = [
  [/^(avif|avis)$/, { kind: 'avif' }],
  [/^(hei[cxms]|hev[cxms])$/, { kind: 'heic' }],
  [/^crx $/, { problem: 'raw_photo' }],
  [/^jp[2xm] $/, { problem: 'jpeg_2000' }],
];

/** Parts that precede the content of a document. Each matches in one manner only. */
const PROLOGUE = [/\s+/y, /<\?[^>]*>/y, /<!--[^]*?-->/y, /<!DOCTYPE[^>[]*(?:\[[^\]]*\]\s*)?>/iy];
const SVG = /^<(\w+:)?svg[\s>]/i;
const WEB_PAGE = /^<(html|head|body|meta|script|title|div|p)\b/i;
const WEB_PAGE_TYPE = /^(\xef\xbb\xbf)?\s*<!DOCTYPE html/i;

/** Bytes that are looked at, except for the tags of a TIFF. */
const LOOKED_AT = 4096;

export function recognize(bytes: Uint8Array): Recognized {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const head = file.toString('latin1', 0, LOOKED_AT);
  const fileKind = SIGNATURES.find(([, ...signatures]) =>
    signatures.some((signature) => startsLike(head, signature)),
  )?.[0];
  if (fileKind) {
    const isRaw = 'kind' in fileKind && fileKind.kind === 'tiff' && isRawTiff(file);
    return isRaw ? { problem: 'raw_photo' } : fileKind;
  }
  if (head.slice(4, 8) === 'ftyp') return ofBrands(file, head);
  const content = contentOf(head);
  if (WEB_PAGE_TYPE.test(head) || WEB_PAGE.test(content)) return { problem: 'web_page' };
  if (SVG.test(content)) return { problem: 'svg' };
  return { problem: 'not_a_picture' };
}

/** A pattern of the whole prologue would try each way to divide it, which are countless. */
function contentOf(head: string): string {
  let at = head.startsWith('\xef\xbb\xbf') ? 3 : 0;
  for (let end = endOfPart(head, at); end > at; end = endOfPart(head, at)) at = end;
  return head.slice(at);
}

/** The same position if none begins there. */
function endOfPart(head: string, at: number): number {
  for (const part of PROLOGUE) {
    part.lastIndex = at;
    if (part.test(head)) return part.lastIndex;
  }
  return at;
}

const startsLike = (head: string, signature: string): boolean =>
  Array.from(signature, (sign, at) => sign === '?' || sign === head[at]).every(Boolean);

/** The major brand may only say that there is an image; then the compatible ones tell which. */
function ofBrands(file: Buffer, head: string): Recognized {
  const end = Math.min(head.length, file.length >= 4 ? file.readUInt32BE(0) : 0);
  const brands = [head.slice(8, 12)];
  for (let at = 16; at + 4 <= end; at += 4) brands.push(head.slice(at, at + 4));
  for (const brand of brands) {
    const kind = BRANDS.find(([name]) => name.test(brand))?.[1];
    if (kind) return kind;
  }
  return brands.some((brand) => /^(mif1|msf1|mif2|miaf)$/.test(brand))
    ? { kind: 'heic' }
    : { problem: 'video' };
}
