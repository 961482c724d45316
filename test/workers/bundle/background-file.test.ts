import { expect, test } from 'vitest';
import { decodeBackground, encodeBackground } from '../../../workers/bundle/background-file.ts';

const [WIDTH, HEIGHT] = [48, 32];
const picture = {
  width: WIDTH,
  height: HEIGHT,
  i420: Uint8Array.from({ length: 1.5 * WIDTH * HEIGHT }, (_, i) => (i * 7) % 251),
};

async function patched(at: number, value: number): Promise<Buffer> {
  const file = await encodeBackground(picture);
  file.writeUInt16LE(value, at);
  return file;
}

test('a background opens as it was written', async () => {
  const opened = await decodeBackground(await encodeBackground(picture));

  expect(opened).toMatchObject({ width: WIDTH, height: HEIGHT });
  expect(Buffer.compare(opened.i420, picture.i420)).toBe(0);
});

test.each<[string, () => Promise<Buffer>, RegExp]>([
  ['nothing', async () => Buffer.alloc(0), /not a background/],
  ['another file', async () => Buffer.from('RIFF'.repeat(20)), /not a background/],
  ['another version', () => patched(8, 7), /version 7/],
  ['an odd side', () => patched(10, 47), /47 x 32/],
  ['too large a side', () => patched(12, 4000), /48 x 4000/],
  ['another size than its picture', () => patched(12, 34), /damaged/],
  ['a picture larger than its size', () => patched(12, 30), /decompressed/],
  ['a cut file', async () => (await encodeBackground(picture)).subarray(0, -9), /decompressed/],
  ['another checksum', () => patched(14, 1), /damaged/],
])('%s is refused', async (_, file, message) => {
  await expect(file().then(decodeBackground)).rejects.toMatchObject({
    name: 'BundleError',
    message: expect.stringMatching(message),
  });
});
