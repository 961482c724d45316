import { deflateSync } from 'node:zlib';
import { createCanvas } from 'canvas';
import { beforeAll, describe, expect, test } from 'vitest';
import { headOf } from '../../../workers/enrolment/build.ts';
import { FaceFinder } from '../../../workers/enrolment/face/landmarks.ts';
import { PictureError } from '../../../workers/enrolment/picture-error.ts';
import { drawn, png, pngOf, portrait, portraitAsPng, withSegment } from './portraits.ts';

const MIB = 1024 ** 2;

let finder: FaceFinder;
beforeAll(async () => {
  finder = await FaceFinder.open();
});

const text = (content: string) => async () => Buffer.from(content, 'latin1');

const painted = (width: number, height: number, colour: string) => async () => {
  const canvas = createCanvas(width, height);
  const context = canvas.getContext('2d');
  context.fillStyle = colour;
  context.fillRect(0, 0, width, height);
  return canvas.encode('png');
};

const grey = { depth: 8, colourType: 0 } as const;

/** The first bytes of a lossy WebP, with the given extended header. */
function webp(flags: number, side: number): Buffer {
  const file = Buffer.alloc(30);
  file.write('RIFF', 0, 'latin1');
  file.writeUInt32LE(22, 4);
  file.write('WEBPVP8X', 8, 'latin1');
  file.writeUInt32LE(10, 16);
  file[20] = flags;
  file.writeUIntLE(side - 1, 24, 3);
  file.writeUIntLE(side - 1, 27, 3);
  return file;
}

/** Replaces the size in a JPEG's frame header. */
function lying(jpeg: Buffer, width: number, height: number): Buffer {
  const copy = Buffer.from(jpeg);
  const frame = copy.indexOf(Buffer.from([0xff, 0xc0]));
  copy.writeUInt16BE(height, frame + 5);
  copy.writeUInt16BE(width, frame + 7);
  return copy;
}

function noise(): Buffer {
  let seed = 1;
  const random = () => (seed = Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 24;
  return png(400, 400, Buffer.from(Array.from({ length: 160_000 }, random)), grey);
}

describe('an unusual picture', () => {
  test.each<[name: string, reason: string, make: () => Promise<Buffer>]>([
    ['an empty file', 'not_a_picture', text('')],
    ['one byte', 'not_a_picture', text('\xff')],
    ['text', 'not_a_picture', text('a picture of me, honestly')],
    ['a PDF', 'pdf', text('%PDF-1.7\n1 0 obj\n<<>>\nendobj\n')],
    ['an SVG', 'svg', text('<svg xmlns="http://www.w3.org/2000/svg" width="400"/>')],
    ['the head of a GIF', 'not_a_picture', text('GIF89a\x00\x02\x00\x02\x80\x00\x00')],
    ['a bitmap', 'bitmap', text('BM\x36\x00\x0c\x00\x00\x00\x00\x00')],
    ['the head of a JPEG', 'not_a_picture', async () => portrait.subarray(0, 120)],
    [
      'a JPEG of garbage',
      'not_a_picture',
      async () => Buffer.concat([portrait.subarray(0, 2), noise()]),
    ],
    [
      'a PNG that ends in its header',
      'not_a_picture',
      async () => (await portraitAsPng('grey')).subarray(0, 20),
    ],
    ['a PNG without pixels', 'damaged', async () => png(400, 400, Buffer.alloc(0), grey)],
    ['a WebP without pixels', 'not_a_picture', async () => webp(0, 400)],
    ['one pixel', 'too_small', async () => png(1, 1, Buffer.alloc(1), grey)],
    ['a line', 'too_small', async () => png(4000, 1, Buffer.alloc(4000), grey)],
    [
      '30,000 pixels across, nearly all of them missing',
      'damaged',
      async () => png(30_000, 2000, Buffer.alloc(30_000), grey),
    ],
    [
      'a PNG with an endless size',
      'too_large',
      async () => png(2 ** 31 - 1, 2 ** 31 - 1, Buffer.alloc(0), grey),
    ],
    ['a WebP with an endless size', 'too_large', async () => webp(0, 2 ** 24)],
    ['a JPEG with a false larger size', 'too_large', async () => lying(portrait, 65_000, 65_000)],
    ['an animated WebP without pixels', 'not_a_picture', async () => webp(2, 400)],
    ['black', 'no_face', painted(300, 300, '#000')],
    ['nothing at all', 'no_face', painted(300, 300, '#0000')],
    ['noise', 'no_face', async () => noise()],
    ['a ribbon', 'no_face', painted(12_000, 256, '#c9a58c')],
  ])('%s is refused as %s', async (_, reason, make) => {
    await expect(headOf(await make(), finder)).rejects.toMatchObject({ reason });
  });

  test.each<[name: string, make: () => Promise<Buffer>]>([
    ['of 16 bits', () => portraitAsPng('deep')],
    ['in greys', () => portraitAsPng('grey')],
    [
      'that is half transparent',
      async () => {
        const canvas = await drawn(512, 512, (context, picture) => {
          context.globalAlpha = 0.6;
          context.drawImage(picture, 0, 0);
        });
        return canvas.encode('png');
      },
    ],
    [
      'with an odd colour profile',
      async () => withSegment(portrait, 0xe2, Buffer.from('ICC_PROFILE\0\x01\x01garbage')),
    ],
    [
      'with a megabyte of notes',
      async () => {
        let jpeg: Buffer = portrait;
        for (let i = 0; i < 16; i++)
          jpeg = withSegment(jpeg, 0xe1, Buffer.alloc(65_000, 'Exif\0\0'));
        return jpeg;
      },
    ],
    [
      'as WebP',
      async () => {
        const canvas = await drawn(512, 512, (context, picture) =>
          context.drawImage(picture, 0, 0),
        );
        return canvas.encode('webp', 90);
      },
    ],
  ])('a portrait %s is accepted', async (_, make) => {
    const { points } = await headOf(await make(), finder);

    expect(points).toHaveLength(478);
  });

  test.each([
    [256, 2000],
    [2000, 256],
  ])('a JPEG with a false size of %s by %s is refused', async (...size) => {
    const building = headOf(lying(portrait, ...size), finder);

    await expect(building).rejects.toBeInstanceOf(PictureError);
  });

  test('a JPEG whose lower rows are missing is accepted if the face is there', async () => {
    const { points } = await headOf(lying(portrait, 512, 4000), finder);

    expect(points).toHaveLength(478);
  });

  test('a decompression bomb takes no more memory than its pixels', async () => {
    const bomb = pngOf([
      ['IHDR', Buffer.from('0000012c0000012c0800000000', 'hex')],
      ['IDAT', deflateSync(Buffer.alloc(256 * MIB))],
    ]);
    const bytesBefore = process.memoryUsage.rss();

    const building = headOf(bomb, finder);

    await expect(building).rejects.toMatchObject({
      reason: expect.stringMatching(/no_face|not_a/),
    });
    expect(process.memoryUsage.rss() - bytesBefore).toBeLessThan(128 * MIB);
  });
});
