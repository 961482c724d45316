import { createCanvas } from 'canvas';
import { deflateSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { readPng } from '../../../workers/bundle/png.ts';

describe('PNG files', () => {
  test('are read as another encoder wrote them', () => {
    const canvas = createCanvas(37, 23);
    const context = canvas.getContext('2d');
    for (let i = 0; i < 40; i++) {
      context.fillStyle = `hsl(${i * 9}, 80%, 50%)`;
      context.fillRect(i, (i * 7) % 20, 9, 5);
    }

    const { width, height, channels, samples } = readPng(canvas.toBuffer('image/png'));

    expect({ width, height, channels }).toEqual({ width: 37, height: 23, channels: 4 });
    expect([...samples]).toEqual([...context.getImageData(0, 0, 37, 23).data]);
  });

  test.each([0, 1, 2, 3, 4])('keep 16 bits with filter %i', (filter) => {
    const values = [1, 256, 65_535, 40_000, 12_345, 777];

    const { samples } = readPng(greyPng(3, 2, values, filter));

    expect([...samples]).toEqual(values);
  });

  test.each<[string, Buffer]>([
    ['not a picture', Buffer.from('hello')],
    ['truncated', greyPng(3, 2, [1, 2, 3, 4, 5, 6], 0).subarray(0, 60)],
    [
      'larger than its header says',
      greyPng(
        3,
        2,
        Array.from({ length: 60 }, () => 1),
        0,
      ),
    ],
    ['too large', greyPng(100_000, 2, [1], 0)],
  ])('are refused when %s', (_, file) => {
    expect(() => readPng(file)).toThrow();
  });
});

/** 16-bit grey; every row with the same filter. */
function greyPng(width: number, height: number, values: number[], filter: number): Buffer {
  const rows: number[] = [];
  const bytes = values.flatMap((value) => [value >> 8, value & 255]);
  const rowBytes = Math.min(2 * width, bytes.length);
  for (let at = 0; at < bytes.length; at += rowBytes) {
    rows.push(filter);
    for (let i = 0; i < rowBytes; i++) {
      const previous = i < 2 ? 0 : bytes[at + i - 2]!;
      const above = at === 0 ? 0 : bytes[at + i - rowBytes]!;
      const corner = at === 0 || i < 2 ? 0 : bytes[at + i - rowBytes - 2]!;
      rows.push((bytes[at + i]! - guess(filter, previous, above, corner)) & 255);
    }
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = 16;
  return Buffer.concat([
    Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.from(rows))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function guess(filter: number, previous: number, above: number, corner: number): number {
  if (filter === 4) {
    return [previous, above, corner].sort(
      (a, b) => Math.abs(previous + above - corner - a) - Math.abs(previous + above - corner - b),
    )[0]!;
  }
  return [0, previous, above, (previous + above) >> 1][filter]!;
}

function chunk(type: string, data: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  return Buffer.concat([length, Buffer.from(type, 'latin1'), data, Buffer.alloc(4)]);
}
