import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { createCanvas, loadImage } from '@napi-rs/canvas';
import { expect, test } from 'vitest';
import { drawI420 } from '../../workers/avatar/commands/portrait.ts';
import { BuiltInPerformer } from '../../workers/avatar/performer/built-in.ts';
import { drawnBundle, SIZE } from '../support/drawn-face.ts';

/** Remade by deleting it and running this test; see test/fixtures/README.md. */
const golden = new URL('../fixtures/golden-frame.png', import.meta.url);

test('a frame in mid-speech looks as it did', async () => {
  const frame = new Uint8Array(SIZE * SIZE * 1.5);
  const performer = new BuiltInPerformer(await drawnBundle(), {
    seed: 'golden',
    mouth: {
      hear() {},
      hush() {},
      mouthAt: () => ({ lips: 'neutral', strength: 1, opening: 0.7 }),
      loudnessAt: () => 0.8,
    },
  });
  for (let at = 0; at <= 6000; at += 40) performer.draw(at, frame);
  performer.close();
  const shown = drawI420(frame, SIZE, SIZE);
  if (!existsSync(golden)) {
    await writeFile(golden, shown.toBuffer('image/png'));
    throw new Error('there was no golden frame: one is written, look at it');
  }

  const context = createCanvas(SIZE, SIZE).getContext('2d');
  context.drawImage(await loadImage(await readFile(golden)), 0, 0);
  const expected = context.getImageData(0, 0, SIZE, SIZE).data;
  const { data } = shown.getContext('2d').getImageData(0, 0, SIZE, SIZE);

  let [sum, most] = [0, 0];
  for (let i = 0; i < data.length; i++) {
    const difference = Math.abs(data[i]! - expected[i]!);
    sum += difference;
    most = Math.max(most, difference);
  }
  // Another version of the canvas smooths the drawn face's edges a little differently.
  expect(sum / data.length, `mean difference ${sum / data.length}, greatest ${most}`).toBeLessThan(
    0.5,
  );
  expect(most, `greatest difference ${most}`).toBeLessThan(40);
});
