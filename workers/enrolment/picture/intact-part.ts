/*
 * Finds how much of a damaged picture can be trusted: from its first row to the one in which
 * decoders notice that data are missing or odd. What they show below is made up.
 */
import sharp from 'sharp';
import type { Photo } from './photo.ts';
import { filledUp } from './picture-end.ts';
import { decodeAsStored, type PictureFile, STRICT } from './picture-file.ts';

/** Rows that decoders read at a time. */
const STRIPE = 16;

/** The share of rows from the top, as stored. `original`: the file before it was filled up. */
export async function intactShare(file: PictureFile, original: Uint8Array): Promise<number> {
  if (file.bytes !== original) return shareAlike(file, original);
  // Colours of the last stripe may be mixed with those below.
  const rows = (await intactRows(file)) - STRIPE;
  return rows > 0 ? rows / file.shape.height : shareBeforeFill(await decodeAsStored(file));
}

/** Zero if the decoder must read the whole file first, or stops at a harmless fault. */
async function intactRows(file: PictureFile): Promise<number> {
  if (!(await reads(file, STRIPE))) return 0;
  let [good, bad] = [STRIPE, file.shape.height];
  while (bad - good > STRIPE) {
    const middle = (good + bad) >> 1;
    if (await reads(file, middle)) good = middle;
    else bad = middle;
  }
  return good;
}

/** Whether nothing is odd in the first rows. They are decoded at full size, and not kept. */
const reads = ({ bytes, shape: { width } }: PictureFile, height: number): Promise<boolean> =>
  sharp(bytes, STRICT)
    .extract({ left: 0, top: 0, width, height })
    .resize(1, STRIPE, { fit: 'fill', kernel: 'nearest' })
    .raw()
    .toBuffer()
    .then(
      () => true,
      () => false,
    );

/** The share above the first row that has only the colour that decoders put for missing data. */
function shareBeforeFill({ width, height, values }: Photo): number {
  const isFilled = (row: number) => {
    const start = 4 * width * row;
    const end = start + 4 * width;
    const first = values.subarray(start, start + 4);
    const isFill = first[3] === 0 || FILLS.some((fill) => isNear(first, fill));
    if (!isFill) return false;
    for (let at = start; at < end; at++) {
      if (Math.abs(values[at]! - first[at & 3]!) > 1) return false;
    }
    return true;
  };
  let row = 0;
  while (row < height && !isFilled(row)) row++;
  return row === height ? 1 : Math.max(0, row - STRIPE) / height;
}

/** Black, and the grey of a JPEG without data. */
const FILLS = [0, 128];

const isNear = (colour: Uint8Array, light: number): boolean =>
  colour.subarray(0, 3).every((value) => Math.abs(value - light) <= 1);

/** The share that does not depend on what the missing end is filled with. */
async function shareAlike(file: PictureFile, original: Uint8Array): Promise<number> {
  const otherwise = { ...file, bytes: filledUp(file.shape.kind, original, 1) };
  const [zeros, ones] = [await decodeAsStored(file), await decodeAsStored(otherwise)];
  const first = zeros.values.findIndex((value, at) => value !== ones.values[at]);
  if (first < 0) return 1;
  const row = Math.floor(first / (4 * zeros.width));
  return Math.max(0, row - STRIPE) / zeros.height;
}

/** The photo without what lies below `share` in the file, seen upright by its EXIF orientation. */
export function cropped(photo: Photo, orientation: number, share: number): Photo {
  if (share === 1) return photo;
  const { width, height } = photo;
  const [rows, columns] = [height, width].map((side) => Math.floor(share * side));
  switch (orientation) {
    case 3:
    case 4:
      return partOf(photo, { x: 0, y: height - rows!, width, height: rows! });
    case 5:
    case 8:
      return partOf(photo, { x: 0, y: 0, width: columns!, height });
    case 6:
    case 7:
      return partOf(photo, { x: width - columns!, y: 0, width: columns!, height });
    default:
      return partOf(photo, { x: 0, y: 0, width, height: rows! });
  }
}

type Part = { x: number; y: number; width: number; height: number };

function partOf({ width: stride, values }: Photo, { x, y, width, height }: Part): Photo {
  const part = new Uint8Array(4 * width * height);
  for (let row = 0; row < height; row++) {
    const from = 4 * ((y + row) * stride + x);
    part.set(values.subarray(from, from + 4 * width), 4 * row * width);
  }
  return { width, height, values: part };
}
