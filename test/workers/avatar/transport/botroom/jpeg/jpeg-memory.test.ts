import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';

const ENCODER = new URL(
  '../../../../../../workers/avatar/transport/botroom/jpeg/jpeg-encoder.ts',
  import.meta.url,
);

/** Prints the growth in bytes over 10,000 pictures. */
const MEASURE = `
import { setImmediate } from 'node:timers/promises';
import { JpegEncoder } from '${ENCODER.href}';

const encoder = new JpegEncoder({ width: 64, height: 48, quality: 80 });
const pictures = [16, 80, 140].map((from) =>
  Uint8Array.from({ length: 64 * 48 * 1.5 }, (_, i) => from + (i % 64)));
const encodeTimes = (times) => {
  for (let i = 0; i < times; i++) encoder.encode(pictures[i % pictures.length]);
};
const held = async () => {
  // Array buffers are freed after the collection that finds them.
  for (let i = 0; i < 3; i++) {
    gc();
    await setImmediate();
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
};
encodeTimes(10_000);
const before = await held();
encodeTimes(10_000);
console.log((await held()) - before);
`;

test('a JPEG encoder holds no more memory after 10,000 pictures', () => {
  // With one thread, code is compiled at the same moments in each run.
  const flags = ['--expose-gc', '--single-threaded', '--input-type=module', '-e', MEASURE];
  const env = { PATH: process.env['PATH'], NODE_DISABLE_COMPILE_CACHE: '1' };
  const grown = Number(execFileSync(process.execPath, flags, { encoding: 'utf8', env }));

  expect(grown).toBeLessThan(10_000);
});
