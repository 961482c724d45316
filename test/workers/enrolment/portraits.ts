import { readFileSync } from 'node:fs';
import { crc32, deflateSync } from 'node:zlib';
import { type Canvas, createCanvas, loadImage, type SKRSContext2D } from 'canvas';

const fixture = (name: string) =>
  readFileSync(new URL(`../../fixtures/photo/${name}`, import.meta.url));

/** A portrait of 512 by 512 pixels; the face is 91 pixels wide and centred near (230, 120). */
export const portrait = fixture('astronaut.jpg');
export const flatCmyk = fixture('flat-cmyk.jpg');
export const flatProgressive = fixture('flat-progressive.jpg');
export const flatLossless = fixture('flat-lossless.webp');

type Draw = (context: SKRSContext2D, picture: Awaited<ReturnType<typeof loadImage>>) => void;

/** Draws a picture, with the portrait as a source. */
export async function drawn(width: number, height: number, draw: Draw): Promise<Canvas> {
  const canvas = createCanvas(width, height);
  draw(canvas.getContext('2d'), await loadImage(portrait));
  return canvas;
}

export const jpegOf = (canvas: Canvas) => canvas.encode('jpeg', 92);

/** The portrait with something painted over it. */
export async function paintedOver(paint: (context: SKRSContext2D) => void): Promise<Buffer> {
  const canvas = await drawn(512, 512, (context, picture) => {
    context.drawImage(picture, 0, 0);
    paint(context);
  });
  return jpegOf(canvas);
}

/** The rotated portrait, with an EXIF orientation that turns it back. */
export async function turnedByExif(): Promise<Buffer> {
  const canvas = await drawn(512, 512, (context, picture) => {
    context.translate(0, 512);
    context.rotate(-Math.PI / 2);
    context.drawImage(picture, 0, 0);
  });
  const note = Buffer.from('4578696600004d4d002a000000080001011200030000000100060000', 'hex');
  return withSegment(await jpegOf(canvas), 0xe1, Buffer.concat([note, Buffer.alloc(4)]));
}

/** A JPEG with an additional segment at its start. */
export function withSegment(jpeg: Buffer, marker: number, data: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, (data.length + 2) >> 8, (data.length + 2) & 255]);
  return Buffer.concat([jpeg.subarray(0, 2), head, data, jpeg.subarray(2)]);
}

type PngKind = { depth: 8 | 16; colourType: 0 | 2 | 3; more?: [type: string, data: Buffer][] };

/** A PNG file from unfiltered rows; its header may be false. */
export function png(width: number, height: number, rows: Buffer, kind: PngKind): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([kind.depth, kind.colourType, 0, 0, 0], 8);
  const samples = kind.colourType === 2 ? 3 : 1;
  const rowBytes = (width * samples * kind.depth) / 8;
  const filtered = Buffer.alloc(Math.ceil(rows.length / rowBytes) * (rowBytes + 1));
  for (let row = 0; row * rowBytes < rows.length; row++) {
    rows.copy(filtered, row * (rowBytes + 1) + 1, row * rowBytes, (row + 1) * rowBytes);
  }
  return pngOf([['IHDR', header], ...(kind.more ?? []), ['IDAT', deflateSync(filtered)]]);
}

export function pngOf(chunks: [type: string, data: Buffer][]): Buffer {
  const parts = [...chunks, ['IEND', Buffer.alloc(0)] as const].map(([type, data]) => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
    const ends = Buffer.alloc(8);
    ends.writeUInt32BE(data.length, 0);
    ends.writeUInt32BE(crc32(body), 4);
    return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)]);
  });
  return Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), ...parts]);
}

/** The portrait as a PNG, 16-bit or greyscale. */
export async function portraitAsPng(kind: 'deep' | 'grey'): Promise<Buffer> {
  const canvas = await drawn(512, 512, (context, picture) => context.drawImage(picture, 0, 0));
  const { data } = canvas.getContext('2d').getImageData(0, 0, 512, 512);
  const pixels = Array.from({ length: 512 * 512 }, (_, i) => data.subarray(4 * i, 4 * i + 3));
  if (kind === 'grey') {
    const greys = Buffer.from(
      pixels.map(([red = 0, green = 0, blue = 0]) => (red + green + blue) / 3),
    );
    return png(512, 512, greys, { depth: 8, colourType: 0 });
  }
  const deep = Buffer.from(
    pixels.flatMap((pixel) => [...pixel].flatMap((value) => [value, value])),
  );
  return png(512, 512, deep, { depth: 16, colourType: 2 });
}
