import { readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { Rectangle } from '../../../../workers/bundle/format.ts';
import { openBundle } from '../../../../workers/bundle/open-bundle.ts';
import { chance, seedOf } from '../../../../workers/avatar/performer/chance.ts';
import { type Fitted, memoryOf, type Sprite } from '../../../../workers/avatar/performer/face.ts';
import { fieldArguments, STRAIGHT } from '../../../../workers/avatar/performer/pose.ts';

const avatars = path.join(import.meta.dirname, '../../../../workers/avatar/avatars');
const FRAMES = 1000;
/** A difference in luma levels that is invisible in moving video. */
const UNSEEN = 3;

const files = readdirSync(avatars).filter((name) => name.endsWith('.avatar'));

test.each(files)('%s: mouth and eyes have no visible seam', async (file) => {
  const bundle = await openBundle(path.join(avatars, file));
  const { width, height } = bundle.face.manifest;
  const memory = memoryOf(bundle.face);
  const planes = memory.take();
  const [without, withIt] = [0, 1].map(() => new Uint8Array(width * height * 1.5)) as [
    Uint8Array,
    Uint8Array,
  ];
  memory.warp.field(...fieldArguments(STRAIGHT));
  let greatest = 0;
  /**
   * Measures the change along the border of `added` when fitted into a face that has `others`.
   */
  const compare = (neighbours: [Fitted, number][], [added, weight]: [Fitted, number]) => {
    for (const [fitted, share] of neighbours) memory.add(planes, fitted, share);
    memory.draw(planes, without);
    memory.add(planes, added, weight);
    memory.draw(planes, withIt);
    for (const [{ area }] of [...neighbours, [added] as const]) memory.restore(planes, area);
    for (const at of border(added.area, width, height))
      greatest = Math.max(greatest, Math.abs(withIt[at]! - without[at]!));
  };

  const seed = seedOf(file);
  for (let i = 0; i < FRAMES / files.length; i++) {
    const pick = (pool: Sprite[], stream: number): [Fitted, number] => [
      pool[Math.floor(chance(seed, stream, i) * pool.length)]!.fitted,
      64 * (1 + Math.floor(4 * chance(seed, stream + 10, i))),
    ];
    const [mouth, eyes] = [pick(memory.mouths, 1), pick(memory.eyes, 2)];
    compare([eyes], mouth);
    compare([mouth], eyes);
  }
  bundle.close();

  expect(greatest).toBeLessThanOrEqual(UNSEEN);
});

/** Offsets of the pixels just inside a rectangle, except along the picture's own border. */
function* border({ x, y, width, height }: Rectangle, across: number, down: number) {
  for (let column = x; column < x + width; column++) {
    if (y > 0) yield y * across + column;
    if (y + height < down) yield (y + height - 1) * across + column;
  }
  for (let row = y; row < y + height; row++) {
    if (x > 0) yield row * across + x;
    if (x + width < across) yield row * across + x + width - 1;
  }
}
