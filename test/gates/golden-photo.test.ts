import { expect, test } from 'vitest';
import { compareWithGolden, photoSheet } from './measures/golden.ts';
import type { Difference } from './measures/perceptual.ts';

/** The networks that find the face add up in another order on another kind of processor. */
const isSeen = ({ mean, greatest }: Difference) => mean > 0.3 || greatest > 2;

test('pictures of the avatar that the fixture photo becomes look as the golden ones', async () => {
  const difference = await compareWithGolden('photo', await photoSheet(), isSeen);

  const { mean, greatest } = difference;
  const told = `CIEDE2000 mean ${mean.toFixed(3)}, block ${greatest.toFixed(2)}: see test/gates/dist`;
  expect(isSeen(difference), told).toBe(false);
}, 120_000);
