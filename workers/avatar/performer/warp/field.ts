import {
  backward,
  CELL,
  centreX,
  centreY,
  distance,
  focal,
  forward,
  height,
  needed,
  nodeCount,
  nodes,
  pivotX,
  pivotY,
  pivotZ,
  width,
} from './state';

const ROUNDS: i32 = 3;

/**
 * `r0`..`r8`: the head's rotation about the pivot, by rows. `shift` moves the head and `breath`
 * raises the chest, in pixels; `wider` is the share by which the chest widens.
 */
export function field(
  r0: f32,
  r1: f32,
  r2: f32,
  r3: f32,
  r4: f32,
  r5: f32,
  r6: f32,
  r7: f32,
  r8: f32,
  shiftX: f32,
  shiftY: f32,
  breath: f32,
  wider: f32,
): void {
  const row: usize = <usize>nodeCount << 2;
  const ones = f32x4.splat(1);
  const zoom = f32x4.splat(focal);
  const middle = f32x4.splat(centreX);
  for (let k: i32 = 0; k < nodeCount; k += 4) {
    const at = nodes + (<usize>k << 2);
    const x = v128.load(at);
    const y = v128.load(at + row);
    const z = v128.load(at + 2 * row);
    const weight = v128.load(at + 3 * row);
    const fromX = v128.load(at + 4 * row);
    const fromY = v128.load(at + 5 * row);
    const turnedX = dot(r0, x, r1, y, r2, z, pivotX);
    const turnedY = dot(r3, x, r4, y, r5, z, pivotY);
    const away = f32x4.sub(f32x4.splat(distance), dot(r6, x, r7, y, r8, z, pivotZ));
    const scale = f32x4.div(zoom, away);
    const toX = f32x4.add(middle, f32x4.mul(turnedX, scale));
    const toY = f32x4.sub(f32x4.splat(centreY), f32x4.mul(turnedY, scale));
    const body = f32x4.sub(ones, weight);
    // The chest rises and widens slightly; the head rises half as far.
    const aside = f32x4.mul(body, f32x4.mul(f32x4.sub(fromX, middle), f32x4.splat(wider)));
    const risen = f32x4.mul(f32x4.splat(breath), f32x4.add(body, f32x4.mul(weight, f32x4.splat(0.5))));
    const dx = f32x4.add(
      f32x4.mul(weight, f32x4.add(f32x4.sub(toX, fromX), f32x4.splat(shiftX))),
      aside,
    );
    const dy = f32x4.sub(
      f32x4.mul(weight, f32x4.add(f32x4.sub(toY, fromY), f32x4.splat(shiftY))),
      risen,
    );
    const to = forward + (<usize>k << 3);
    v128.store(to, v128.shuffle<f32>(dx, dy, 0, 4, 1, 5));
    v128.store(to + 16, v128.shuffle<f32>(dx, dy, 2, 6, 3, 7));
  }
  invert();
}

// @ts-ignore: decorator
@inline
function dot(a: f32, x: v128, b: f32, y: v128, c: f32, z: v128, offset: f32): v128 {
  const sum = f32x4.add(f32x4.splat(offset), f32x4.mul(f32x4.splat(a), x));
  return f32x4.add(
    f32x4.add(sum, f32x4.mul(f32x4.splat(b), y)),
    f32x4.mul(f32x4.splat(c), z),
  );
}

/** Inverts the displacement field at each node by fixed-point iteration. */
function invert(): void {
  const across = width / CELL + 1;
  const down = height / CELL + 1;
  const least = f32x4.splat(0);
  const lastX = <f32>(across - 1) - 0.001;
  const lastY = <f32>(down - 1) - 0.001;
  const most = f32x4(lastX, lastY, lastX, lastY);
  const cells = f32x4.splat(0.125);
  const row: usize = <usize>across << 3;
  for (let j: i32 = 0; j < down; j++) {
    for (let i: i32 = 0; i < across; i++) {
      const k: usize = <usize>(j * across + i);
      if (!load<u8>(needed + k)) continue;
      const node = f32x4(<f32>i, <f32>j, <f32>i, <f32>j);
      // x and y are in the first two lanes.
      let from = f32x4.neg(v128.load(forward + (k << 3)));
      for (let round: i32 = 0; round < ROUNDS; round++) {
        // In this order, NaN becomes a number: no bundle can lead outside the grid.
        const place = f32x4.pmax(
          least,
          f32x4.pmin(most, f32x4.add(node, f32x4.mul(from, cells))),
        );
        const cell = i32x4.relaxed_trunc_f32x4_s(place);
        const fraction = f32x4.sub(place, f32x4.convert_i32x4_s(cell));
        const at =
          forward +
          (<usize>(i32x4.extract_lane(cell, 1) * across + i32x4.extract_lane(cell, 0)) << 3);
        const upper = v128.load(at);
        const lower = v128.load(at + row);
        const rowMix = f32x4.add(
          upper,
          f32x4.mul(f32x4.sub(lower, upper), v128.shuffle<f32>(fraction, fraction, 1, 1, 1, 1)),
        );
        const right = v128.shuffle<f32>(rowMix, rowMix, 2, 3, 2, 3);
        from = f32x4.neg(
          f32x4.add(
            rowMix,
            f32x4.mul(f32x4.sub(right, rowMix), v128.shuffle<f32>(fraction, fraction, 0, 0, 0, 0)),
          ),
        );
      }
      store<u64>(backward + (k << 3), i64x2.extract_lane(from, 0));
    }
  }
}
