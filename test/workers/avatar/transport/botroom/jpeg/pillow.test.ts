import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { JpegEncoder } from '../../../../../../workers/avatar/transport/botroom/jpeg/jpeg-encoder.ts';
import { fullRange, pictureOf, psnr, type Planes } from '../../../../../support/picture/i420.ts';

/* Published clients decode with Pillow. .ci/run makes the environment; elsewhere it is optional. */
const python = `${process.env['TROUPE_PYTHON_CLIENTS']}/1.8.9/bin/python`;

const DECODE = `
import io, sys
from PIL import Image
image = Image.open(io.BytesIO(sys.stdin.buffer.read()))
image.draft('YCbCr', None)
sys.stdout.buffer.write(image.tobytes())
`;

// `.ci/run` makes the Python environment and fails without it.
test.skipIf(!existsSync(python))('Pillow decodes the JPEG to the same Y, Cb and Cr', () => {
  const size = { width: 70, height: 50 };
  const encoder = new JpegEncoder({ ...size, quality: 90 });
  const [firstPicture, second] = [0, 20].map((offset) =>
    pictureOf(size, {
      y: (x, y) => 30 + offset + x + y,
      u: (x) => 100 + x + offset,
      v: (_x, y) => 150 - y,
    }),
  );
  encoder.encode(firstPicture!);

  const jpeg = encoder.encode(second!)!;

  const pixels = execFileSync(python, ['-c', DECODE], { input: jpeg });
  const fidelity = psnr(halved(pixels, size), fullRange(second!, size));
  expect(pixels).toHaveLength(3 * size.width * size.height);
  for (const plane of ['y', 'u', 'v'] as const) expect(fidelity[plane]).toBeGreaterThan(42);
});

/** From pixels of Y, Cb and Cr. */
function halved(pixels: Uint8Array, { width, height }: { width: number; height: number }): Planes {
  const y = Float64Array.from({ length: width * height }, (_, i) => pixels[3 * i]!);
  const mean = (channel: number) =>
    Float64Array.from({ length: (width * height) / 4 }, (_, i) => {
      const at = 2 * Math.floor(i / (width / 2)) * width + 2 * (i % (width / 2));
      const four = [at, at + 1, at + width, at + width + 1];
      return four.reduce((sum, pixel) => sum + pixels[3 * pixel + channel]!, 0) / 4;
    });
  return { y, u: mean(1), v: mean(2) };
}
