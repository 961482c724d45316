import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { JpegEncoder } from '../../../../../../workers/avatar/transport/botroom/jpeg/jpeg-encoder.ts';
import { pictureOf } from '../../../../../support/picture/i420.ts';

const SMALL = { width: 64, height: 48 };

test('a JPEG encoder holds no more memory after 10,000 pictures', async () => {
  const encoder = new JpegEncoder({ ...SMALL, quality: 80 });
  const pictures = [0, 1, 2].map((n) => pictureOf(SMALL, { y: (x) => 60 * n + x }));
  const encodeTimes = (times: number) => {
    for (let i = 0; i < times; i++) encoder.encode(pictures[i % pictures.length]!);
  };
  encodeTimes(1000);
  const before = await held();

  encodeTimes(10_000);

  expect((await held()) - before).toBeLessThan(100_000);
});

/** Bytes of the heap, of array buffers and of WebAssembly memory that are in use. */
async function held(): Promise<number> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  // Array buffers are freed after the collection that finds them.
  for (let i = 0; i < 3; i++) {
    collect();
    await setImmediate();
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
