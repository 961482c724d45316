import { beforeEach, describe, expect, test } from 'vitest';
import type { Bundle } from '../../../../workers/bundle/open-bundle.ts';
import { memoryOf } from '../../../../workers/avatar/performer/face.ts';
import { fieldArguments, type Pose, STRAIGHT } from '../../../../workers/avatar/performer/pose.ts';
import { drawnBundle, SIZE } from '../../../support/picture/drawn-face.ts';
import { matchesSource } from '../../../support/rebuilt-wasm.ts';

let bundle: Bundle;
beforeEach(async () => {
  bundle = await drawnBundle();
});

function drawn(pose: Partial<Pose>): Uint8Array {
  const memory = memoryOf(bundle.face);
  const planes = memory.take();
  const frame = new Uint8Array(SIZE * SIZE * 1.5);
  memory.warp.field(...fieldArguments({ ...STRAIGHT, ...pose }));
  memory.draw(planes, frame);
  memory.giveBack(planes);
  return frame;
}

/** Mean position of the darkest pixels in a rectangle. */
function darkPlace(frame: Uint8Array, x: number, y: number, width: number, height: number) {
  let [sumX, sumY, count] = [0, 0, 0];
  for (let row = y; row < y + height; row++) {
    for (let column = x; column < x + width; column++) {
      const dark = Math.max(0, 90 - frame[row * SIZE + column]!);
      sumX += column * dark;
      sumY += row * dark;
      count += dark;
    }
  }
  return { x: sumX / count, y: sumY / count };
}

test('the committed warp.wasm matches its source', async () => {
  expect(await matchesSource('build:warp')).toBe(true);
});

describe('warp', () => {
  test('shows the original face when the head is straight', () => {
    const frame = drawn({});
    const { base, background } = bundle.face;

    let worst = 0;
    for (let i = 0; i < SIZE * SIZE; i++) {
      const expected = base.y[i]! + ((255 - base.a[i]!) * background[i]!) / 255;
      worst = Math.max(worst, Math.abs(frame[i]! - expected));
    }
    const colour = SIZE * SIZE;
    for (let i = 0; i < (SIZE * SIZE) / 4; i++) {
      const at = 2 * Math.floor(i / (SIZE / 2)) * SIZE + 2 * (i % (SIZE / 2));
      if (base.a[at] !== 255 || base.a[at + SIZE + 1] !== 255) continue;
      worst = Math.max(worst, Math.abs(frame[colour + i]! - base.u[i]!));
    }

    expect(worst).toBeLessThanOrEqual(2);
  });

  test('draws part of a frame exactly as in the whole frame', () => {
    const memory = memoryOf(bundle.face);
    const planes = memory.take();
    const [part, fullFrame] = [0, 1].map(() => new Uint8Array(SIZE * SIZE * 1.5)) as [
      Uint8Array,
      Uint8Array,
    ];
    const ends = [1, -1].map((end) => ({ yaw: 4 * end, pitch: 3 * end, roll: 2 * end }));
    for (const pose of [{}, ...ends]) {
      memory.warp.field(...fieldArguments({ ...STRAIGHT, ...pose }));
      for (const { fitted } of [...memory.mouths, ...memory.eyes]) {
        memory.draw(planes, part);
        memory.add(planes, fitted, 256);
        memory.draw(planes, part, { area: memory.reachOf(fitted.area) });
        memory.draw(planes, fullFrame);
        memory.restore(planes, fitted.area);

        expect(Buffer.compare(part, fullFrame)).toBe(0);
      }
    }
    memory.giveBack(planes);
  });

  test('moves near points farther than distant ones: the eyes turn with the face', () => {
    const straight = darkPlace(drawn({}), 46, 48, 14, 14);
    const leftPlace = darkPlace(drawn({ yaw: -4 }), 46, 48, 14, 14);
    const right = darkPlace(drawn({ yaw: 4 }), 46, 48, 14, 14);
    const down = darkPlace(drawn({ pitch: 3 }), 46, 48, 14, 14);

    expect(right.x - straight.x).toBeGreaterThan(1.2);
    expect(straight.x - leftPlace.x).toBeGreaterThan(1.2);
    expect(down.y - straight.y).toBeGreaterThan(0.8);
    expect(Math.abs(right.y - straight.y)).toBeLessThan(0.5);
  });

  test('keeps the shoulders where they are when the head turns', () => {
    const [straight, turned] = [drawn({}), drawn({ yaw: 4, pitch: 3, roll: 2 })];

    const lastRow = (SIZE - 1) * SIZE;

    expect([...turned.subarray(lastRow, lastRow + SIZE)]).toEqual([
      ...straight.subarray(lastRow, lastRow + SIZE),
    ]);
  });

  test('raises the shoulders with breath', () => {
    expect(topOfShoulder(drawn({ breath: 2 }))).toBeLessThan(topOfShoulder(drawn({})) - 20);
  });

  test('draws no holes or specks in any pose', () => {
    for (const yaw of [-4, -1.7, 0.3, 4]) {
      for (const pitch of [-3, 0.9, 3]) {
        const frame = drawn({ yaw, pitch, roll: yaw / 2, breath: 0.7 });
        let worst = 0;
        // The cheeks have a single colour.
        for (let row = 66; row < 72; row++) {
          for (let column = 52; column < 76; column++) {
            worst = Math.max(worst, Math.abs(frame[row * SIZE + column]! - frame[70 * SIZE + 64]!));
          }
        }
        expect(worst).toBeLessThanOrEqual(2);
      }
    }
  });
});

/**
 * Brightness of a column through the shoulder: a raised shoulder covers more of the bright
 * background.
 */
function topOfShoulder(frame: Uint8Array): number {
  let sum = 0;
  for (let row = 100; row < SIZE; row++) sum += frame[row * SIZE + 30]!;
  return sum;
}
