/*
 * Turns a face: AssemblyScript, built to warp.wasm by `npm run build:warp`; called by ../face.ts, which lays out the memory.
 *
 * One instance holds one face. Its planes are 8 bits, signed (less 128: the dot product wants it so), with PAD pixels of border all
 * around (PAD / 2 for colour), colour multiplied by alpha.
 * A picture is made in three steps:
 *   restore, add   mouth and eyes are fitted into a session's own copy of the face, before it is turned, and only when they change
 *   field          a pose of the head becomes a displacement at each node of the grid: where in the face does this place come from?
 *   warp           every pixel that the face can reach is fetched from there; the background stands already in the picture
 *
 * The inner loops make 8 pixels at once. Pixels that are neighbours in the picture come from neighbours in the face, so one load of 16
 * bytes and a byte shuffle replace 8 separate loads.
 */
const PAD: i32 = 32;
const CELL: i32 = 8;
const ROUNDS: i32 = 3;

/** What a cell of the picture can show. */
const EMPTY: i32 = 0;
const SOLID: i32 = 1;
const EDGE: i32 = 2;

let width: i32 = 0;
let height: i32 = 0;
let nodes: usize = 0;
let nodeCount: i32 = 0;
let needed: usize = 0;
let classes: usize = 0;
let shown: usize = 0;
let forward: usize = 0;
let backward: usize = 0;
let focal: f32 = 0;
let centreX: f32 = 0;
let centreY: f32 = 0;
let distance: f32 = 0;
let pivotX: f32 = 0;
let pivotY: f32 = 0;
let pivotZ: f32 = 0;

/**
 * `nodes`: six rows of `nodeCount` f32 (a multiple of 4): place relative to the pivot x, y, z, weight, place in the picture x, y.
 * `needed`: a byte for each node, 0 where nothing can be seen. `classes`: what each cell of the face can show, widened by one cell.
 * `shown`: room for a byte a cell. `forward`, `backward`: room for two f32 a node, with 16 bytes to spare.
 */
export function setFace(
  aWidth: i32,
  aHeight: i32,
  aNodes: usize,
  aNodeCount: i32,
  aNeeded: usize,
  aClasses: usize,
  aShown: usize,
  aForward: usize,
  aBackward: usize,
): void {
  width = aWidth;
  height = aHeight;
  nodes = aNodes;
  nodeCount = aNodeCount;
  needed = aNeeded;
  classes = aClasses;
  shown = aShown;
  forward = aForward;
  backward = aBackward;
}

export function setCamera(
  aFocal: f32,
  aCentreX: f32,
  aCentreY: f32,
  aDistance: f32,
  aPivotX: f32,
  aPivotY: f32,
  aPivotZ: f32,
): void {
  focal = aFocal;
  centreX = aCentreX;
  centreY = aCentreY;
  distance = aDistance;
  pivotX = aPivotX;
  pivotY = aPivotY;
  pivotZ = aPivotZ;
}

/** Copies a rectangle of a plane over the same rectangle of another. */
export function restore(to: usize, from: usize, stride: i32, columns: i32, rows: i32): void {
  for (let row: i32 = 0; row < rows; row++) {
    memory.copy(to, from, columns);
    to += stride;
    from += stride;
  }
}

/** Adds `weight` (of 256) of a 16-bit difference to a rectangle of a plane. `columns` is a multiple of 8. */
export function add(to: usize, stride: i32, from: usize, columns: i32, rows: i32, weight: i32): void {
  const share = i16x8.splat(<i16>(weight << 4));
  for (let row: i32 = 0; row < rows; row++) {
    for (let column: i32 = 0; column < columns; column += 8) {
      let difference = v128.load(from);
      // (d << 3) * (weight << 4) >> 15 is d * weight >> 8, rounded.
      if (weight < 256) difference = i16x8.q15mulr_sat_s(i16x8.shl(difference, 3), share);
      const sum = i16x8.add(v128.load8x8_s(to + column), difference);
      store<u64>(to + column, i64x2.extract_lane(i8x16.narrow_i16x8_s(sum, sum), 0));
      from += 16;
    }
    to += stride;
  }
}

/** Weights with `s` samples a row: turns, then what moves with the head (`shift`), then how far the chest is raised, in pixels. */
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
): void {
  const row: usize = <usize>nodeCount << 2;
  const one = f32x4.splat(1);
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
    const body = f32x4.sub(one, weight);
    // The chest rises and widens a little; the head is carried up half as far.
    const wider = f32x4.mul(body, f32x4.mul(f32x4.sub(fromX, middle), f32x4.splat(breath * 0.003)));
    const risen = f32x4.mul(f32x4.splat(breath), f32x4.add(body, f32x4.mul(weight, f32x4.splat(0.5))));
    const dx = f32x4.add(
      f32x4.mul(weight, f32x4.add(f32x4.sub(toX, fromX), f32x4.splat(shiftX))),
      wider,
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
  const first = f32x4.add(f32x4.splat(offset), f32x4.mul(f32x4.splat(a), x));
  return f32x4.add(
    f32x4.add(first, f32x4.mul(f32x4.splat(b), y)),
    f32x4.mul(f32x4.splat(c), z),
  );
}

/** Finds for each node the place that moves on to it: where it comes from, less what moves there, again and again. */
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
      const here = f32x4(<f32>i, <f32>j, <f32>i, <f32>j);
      // x and y are in the first two lanes.
      let from = f32x4.neg(v128.load(forward + (k << 3)));
      for (let round: i32 = 0; round < ROUNDS; round++) {
        const place = f32x4.relaxed_max(
          least,
          f32x4.relaxed_min(most, f32x4.add(here, f32x4.mul(from, cells))),
        );
        const whole = i32x4.relaxed_trunc_f32x4_s(place);
        const rest = f32x4.sub(place, f32x4.convert_i32x4_s(whole));
        const at =
          forward +
          (<usize>(i32x4.extract_lane(whole, 1) * across + i32x4.extract_lane(whole, 0)) << 3);
        const upper = v128.load(at);
        const lower = v128.load(at + row);
        const both = f32x4.add(
          upper,
          f32x4.mul(f32x4.sub(lower, upper), v128.shuffle<f32>(rest, rest, 1, 1, 1, 1)),
        );
        const right = v128.shuffle<f32>(both, both, 2, 3, 2, 3);
        from = f32x4.neg(
          f32x4.add(
            both,
            f32x4.mul(f32x4.sub(right, both), v128.shuffle<f32>(rest, rest, 0, 0, 0, 0)),
          ),
        );
      }
      store<u64>(backward + (k << 3), i64x2.extract_lane(from, 0));
    }
  }
}

/**
 * Writes all that the face can reach into `out` (I420), where the background stands already. Planes are given by the address of their pixel (0, 0).
 */
export function warp(y: usize, a: usize, u: usize, v: usize, halfA: usize, out: usize): void {
  luma(y, a, out);
  const uOut = out + <usize>(width * height);
  colour(u, v, halfA, uOut, uOut + <usize>((width * height) >> 2));
}

// @ts-ignore: decorator
@inline
function iota(): v128 {
  return i16x8(0, 1, 2, 3, 4, 5, 6, 7);
}

function luma(y: usize, a: usize, out: usize): void {
  const across = width / CELL;
  const down = height / CELL;
  const nodeRow: usize = <usize>(across + 1) << 3;
  const stride = width + 2 * PAD;
  const half = i16x8.splat(128 * 64 + 32);
  for (let cj: i32 = 0; cj < down; cj++) {
    for (let ci: i32 = 0; ci < across; ci++) {
      const at = backward + (<usize>(cj * (across + 1) + ci) << 3);
      const upper = fixed(at);
      const lower = fixed(at + nodeRow);
      const x00 = i32x4.extract_lane(upper, 0);
      const y00 = i32x4.extract_lane(upper, 1);
      const x10 = i32x4.extract_lane(upper, 2);
      const y10 = i32x4.extract_lane(upper, 3);
      const x01 = i32x4.extract_lane(lower, 0);
      const y01 = i32x4.extract_lane(lower, 1);
      const x11 = i32x4.extract_lane(lower, 2);
      const y11 = i32x4.extract_lane(lower, 3);
      const sourceX = (ci * CELL + 4 + ((x00 + x10 + x01 + x11) >> 18)) >> 3;
      const sourceY = (cj * CELL + 4 + ((y00 + y10 + y01 + y11) >> 18)) >> 3;
      const kind = <i32>load<u8>(
        classes + <usize>(clamp(sourceY, 0, down - 1) * across + clamp(sourceX, 0, across - 1)),
      );
      store<u8>(shown + <usize>(cj * across + ci), kind);
      if (kind == EMPTY) continue;

      // Where the row's first pixel comes from and how far apart its pixels are there, from row to row.
      const downX = (x01 - x00) >> 3;
      const downY = (y01 - y00) >> 3;
      const bendX = (x11 - x01 - x10 + x00) >> 6;
      const bendY = (y11 - y01 - y10 + y00) >> 6;
      let stepX = ((x10 - x00) >> 3) + (bendX >> 1);
      let stepY = ((y10 - y00) >> 3) + (bendY >> 1);
      let leftX = ((ci * CELL) << 16) + x00 + (downX >> 1);
      let leftY = ((cj * CELL) << 16) + y00 + (downY >> 1);
      let to = out + <usize>(cj * CELL * width + ci * CELL);
      for (let r: i32 = 0; r < CELL; r++) {
        const px = leftX + (stepX >> 1);
        const py = leftY + (stepY >> 1);
        const x0 = px >> 16;
        const y0 = py >> 16;
        // Places within the face, from (x0, y0), with 11 bits of fraction.
        const inX = (px >> 5) & 2047;
        const inY = (py >> 5) & 2047;
        const placeX = i16x8.add(
          i16x8.splat(<i16>inX),
          i16x8.mul(iota(), i16x8.splat(<i16>(2048 + (stepX >> 5)))),
        );
        const placeY = i16x8.add(
          i16x8.splat(<i16>inY),
          i16x8.mul(iota(), i16x8.splat(<i16>(stepY >> 5))),
        );
        const last = (inY + 7 * (stepY >> 5)) >> 11;
        leftX += downX;
        leftY += downY + 65536;
        stepX += bendX;
        stepY += bendY;
        const low = i16x8.splat(2047);
        const tx = i16x8.shl(v128.and(placeX, low), 3);
        const ty = i16x8.shl(v128.and(placeY, low), 3);
        const column8 = i16x8.shr_s(placeX, 11);
        const inner = i16x8.add(i16x8.mul(column8, i16x8.splat(0x0101)), i16x8.splat(0x0201));
        const outer = i16x8.add(inner, i16x8.splat(0x00ff));
        const rows = i16x8.shr_s(placeY, 11);

        // Catmull-Rom weights: across of 64, down of 32767. Sums saturate where a weight is 1, which 16 bits just do not hold.
        const ax = i16x8.relaxed_q15mulr_s(tx, i16x8.shl(tx, 1));
        const bx = i16x8.relaxed_q15mulr_s(ax, i16x8.shl(tx, 1));
        const minusH0 = of64(i16x8.add(i16x8.sub(tx, i16x8.shl(ax, 1)), bx));
        const minusH3 = of64(i16x8.sub(ax, bx));
        const h2 = of64(
          i16x8.add_sat_s(tx, i16x8.sub(i16x8.shl(ax, 2), i16x8.add(bx, i16x8.shl(bx, 1)))),
        );
        const h1 = i16x8.sub(i16x8.add(i16x8.splat(64), i16x8.add(minusH0, minusH3)), h2);
        const hInner = v128.or(h1, i16x8.shl(h2, 8));
        const hOuter = v128.or(minusH0, i16x8.shl(minusH3, 8));
        const ay = i16x8.relaxed_q15mulr_s(ty, i16x8.shl(ty, 1));
        const by = i16x8.relaxed_q15mulr_s(ay, i16x8.shl(ty, 1));
        const w0 = i16x8.sub(i16x8.sub(i16x8.shl(ay, 1), ty), by);
        const w3 = i16x8.sub(by, ay);
        const w2 = i16x8.add_sat_s(
          ty,
          i16x8.sub(i16x8.shl(ay, 2), i16x8.add(by, i16x8.shl(by, 1))),
        );
        const others = i16x8.add(w2, i16x8.add(w0, w3));
        const w1 = i16x8.sub_sat_s(i16x8.splat(32767), others);

        const top = min(0, last);
        const column = clamp(x0, 1 - PAD, width + PAD - 17) - 1;
        const from = <usize>((clamp(y0 + top, 1 - PAD, height + PAD - 5) - 1) * stride + column);

        let light: v128;
        let cover = half;
        if (last == 0) {
          light = cubic(y + from, stride, inner, outer, hInner, hOuter, w0, w1, w2, w3);
          if (kind == EDGE) cover = cubic(a + from, stride, inner, outer, hInner, hOuter, w0, w1, w2, w3);
        } else {
          // The row slopes: its left pixels come from four rows, its right ones from four that lie one higher or lower.
          const lower = i16x8.gt_s(rows, i16x8.splat(<i16>top));
          const v0 = v128.andnot(w0, lower);
          const v1 = v128.bitselect(w0, w1, lower);
          const v2 = v128.bitselect(w1, w2, lower);
          const v3 = v128.bitselect(w2, w3, lower);
          const v4 = v128.and(w3, lower);
          const fifth = <usize>(4 * stride);
          light = i16x8.add(
            cubic(y + from, stride, inner, outer, hInner, hOuter, v0, v1, v2, v3),
            i16x8.relaxed_q15mulr_s(cubicRow(y + from + fifth, inner, outer, hInner, hOuter), v4),
          );
          if (kind == EDGE)
            cover = i16x8.add(
              cubic(a + from, stride, inner, outer, hInner, hOuter, v0, v1, v2, v3),
              i16x8.relaxed_q15mulr_s(cubicRow(a + from + fifth, inner, outer, hInner, hOuter), v4),
            );
        }
        light = i16x8.shr_s(i16x8.add(light, half), 6);
        if (kind == EDGE) {
          const clear = i16x8.sub(i16x8.splat(255), bounded(i16x8.shr_s(i16x8.add(cover, half), 6)));
          const behind = i16x8.add(i16x8.mul(clear, v128.load8x8_u(to)), i16x8.splat(128));
          light = i16x8.add(light, i16x8.shr_u(i16x8.add(behind, i16x8.shr_u(behind, 8)), 8));
        }
        store<u64>(to, i64x2.extract_lane(i8x16.narrow_i16x8_u(light, light), 0));
        to += width;
      }
    }
  }
}

/** Two nodes, with 16 bits of fraction. */
// @ts-ignore: decorator
@inline
function fixed(at: usize): v128 {
  return i32x4.trunc_sat_f32x4_s(f32x4.mul(v128.load(at), f32x4.splat(65536)));
}

// @ts-ignore: decorator
@inline
function clamp(value: i32, least: i32, most: i32): i32 {
  return value < least ? least : value > most ? most : value;
}

// @ts-ignore: decorator
@inline
function bounded(value: v128): v128 {
  return i16x8.max_s(i16x8.splat(0), i16x8.min_s(i16x8.splat(255), value));
}

// @ts-ignore: decorator
@inline
function of64(weight: v128): v128 {
  return i16x8.shr_s(i16x8.add(i16x8.shr_s(weight, 8), i16x8.splat(1)), 1);
}

/** 8 pixels out of four rows from `from`, one pixel up and left of the first; with 6 bits of fraction. */
// @ts-ignore: decorator
@inline
function cubic(
  from: usize,
  stride: i32,
  inner: v128,
  outer: v128,
  hInner: v128,
  hOuter: v128,
  w0: v128,
  w1: v128,
  w2: v128,
  w3: v128,
): v128 {
  const next = <usize>stride;
  const upper = i16x8.add(
    i16x8.relaxed_q15mulr_s(cubicRow(from, inner, outer, hInner, hOuter), w0),
    i16x8.relaxed_q15mulr_s(cubicRow(from + next, inner, outer, hInner, hOuter), w1),
  );
  const lower = i16x8.add(
    i16x8.relaxed_q15mulr_s(cubicRow(from + 2 * next, inner, outer, hInner, hOuter), w2),
    i16x8.relaxed_q15mulr_s(cubicRow(from + 3 * next, inner, outer, hInner, hOuter), w3),
  );
  return i16x8.add(upper, lower);
}

/** The two inner taps weigh for, the two outer ones against: weights of a dot product must not be negative. */
// @ts-ignore: decorator
@inline
function cubicRow(from: usize, inner: v128, outer: v128, hInner: v128, hOuter: v128): v128 {
  const bytes = v128.load(from);
  return i16x8.sub(
    i16x8.relaxed_dot_i8x16_i7x16_s(i8x16.relaxed_swizzle(bytes, inner), hInner),
    i16x8.relaxed_dot_i8x16_i7x16_s(i8x16.relaxed_swizzle(bytes, outer), hOuter),
  );
}

/** Half the size in both directions: 8 pixels lie over two cells of the grid. Linear, which colour does not show. */
function colour(u: usize, v: usize, halfA: usize, uOut: usize, vOut: usize): void {
  const cells = width / CELL;
  const across = cells / 2;
  const down = height / CELL / 2;
  const halfWidth = width >> 1;
  const halfHeight = height >> 1;
  const stride = halfWidth + PAD;
  const nodeRow: usize = <usize>(cells + 1) << 3;
  const half = i16x8.splat(128 * 64 + 32);
  const zero = i16x8.splat(128);
  for (let cj: i32 = 0; cj < down; cj++) {
    for (let ci: i32 = 0; ci < across; ci++) {
      const cell = shown + <usize>(2 * cj * cells + 2 * ci);
      const kinds = load<u16>(cell) | (<i32>load<u16>(cell + <usize>cells) << 16);
      if (kinds == 0) continue;
      const isSolid = kinds == 0x01010101;
      let row = zero;
      let rowEnd = zero;
      let down4 = zero;
      let down4End = zero;
      for (let r: i32 = 0; r < 8; r++) {
        if ((r & 3) == 0) {
          const at = backward + (<usize>((2 * cj + (r >> 2)) * (cells + 1) + 2 * ci) << 3);
          // Half the displacement, for half the size.
          const upper = i32x4.shr_s(fixed(at), 1);
          const lower = i32x4.shr_s(fixed(at + nodeRow), 1);
          const upperEnd = i32x4.shr_s(fixed(at + 16), 1);
          const lowerEnd = i32x4.shr_s(fixed(at + nodeRow + 16), 1);
          const slope = i32x4.shr_s(i32x4.sub(lower, upper), 2);
          const slopeEnd = i32x4.shr_s(i32x4.sub(lowerEnd, upperEnd), 2);
          row = i32x4.add(upper, i32x4.shr_s(slope, 1));
          rowEnd = i32x4.add(upperEnd, i32x4.shr_s(slopeEnd, 1));
          down4 = slope;
          down4End = slopeEnd;
        }
        const leftX = i32x4.extract_lane(row, 0);
        const leftY = i32x4.extract_lane(row, 1);
        const middleX = i32x4.extract_lane(row, 2);
        const middleY = i32x4.extract_lane(row, 3);
        const rightX = i32x4.extract_lane(rowEnd, 0);
        const rightY = i32x4.extract_lane(rowEnd, 1);
        row = i32x4.add(row, down4);
        rowEnd = i32x4.add(rowEnd, down4End);

        // Four pixels in the left cell, four in the right one; 11 bits of fraction.
        const stepX = (middleX - leftX) >> 7;
        const stepY = (middleY - leftY) >> 7;
        const stepEndX = (rightX - middleX) >> 7;
        const stepEndY = (rightY - middleY) >> 7;
        const px = ((ci * 8) << 11) + (leftX >> 5) + (stepX >> 1);
        const py = ((cj * 8 + r) << 11) + (leftY >> 5) + (stepY >> 1);
        const x0 = px >> 11;
        const y0 = py >> 11;
        const inX = px & 2047;
        const inY = py & 2047;
        const inEndX = ((ci * 8 + 4 - x0) << 11) + (middleX >> 5) + (stepEndX >> 1);
        const inEndY = ((cj * 8 + r - y0) << 11) + (middleY >> 5) + (stepEndY >> 1);
        const placeX = places(inX, 2048 + stepX, inEndX, 2048 + stepEndX);
        const placeY = places(inY, stepY, inEndY, stepEndY);
        const rowB = (inY + 3 * stepY) >> 11;
        const rowC = inEndY >> 11;
        const rowD = (inEndY + 3 * stepEndY) >> 11;
        const top = min(min(0, rowB), min(rowC, rowD));
        const bottom = max(max(0, rowB), max(rowC, rowD));
        const low = i16x8.splat(2047);
        const h1 = i16x8.shr_s(v128.and(placeX, low), 5);
        const h = v128.or(i16x8.sub(i16x8.splat(64), h1), i16x8.shl(h1, 8));
        const w1 = i16x8.shl(v128.and(placeY, low), 4);
        const w0 = i16x8.sub(i16x8.splat(32767), w1);
        const column8 = i16x8.shr_s(placeX, 11);
        const pairs = i16x8.add(i16x8.mul(column8, i16x8.splat(0x0101)), i16x8.splat(0x0100));
        const rows = i16x8.shr_s(placeY, 11);
        const column = clamp(x0, -PAD / 2, halfWidth + PAD / 2 - 16);

        let from = <usize>(clamp(y0 + top, -PAD / 2, halfHeight + PAD / 2 - 2) * stride + column);
        let blue = linear(u + from, stride, pairs, h, w0, w1);
        let red = linear(v + from, stride, pairs, h, w0, w1);
        let cover = isSolid ? half : linear(halfA + from, stride, pairs, h, w0, w1);
        for (let next = top + 1; next <= bottom; next++) {
          from = <usize>(clamp(y0 + next, -PAD / 2, halfHeight + PAD / 2 - 2) * stride + column);
          const chosen = i16x8.eq(rows, i16x8.splat(<i16>next));
          blue = v128.bitselect(linear(u + from, stride, pairs, h, w0, w1), blue, chosen);
          red = v128.bitselect(linear(v + from, stride, pairs, h, w0, w1), red, chosen);
          if (!isSolid)
            cover = v128.bitselect(linear(halfA + from, stride, pairs, h, w0, w1), cover, chosen);
        }
        blue = i16x8.shr_s(i16x8.add(blue, half), 6);
        red = i16x8.shr_s(i16x8.add(red, half), 6);
        const to = <usize>((cj * 8 + r) * halfWidth + ci * 8);
        if (!isSolid) {
          const clear = i16x8.sub(i16x8.splat(255), bounded(i16x8.shr_s(i16x8.add(cover, half), 6)));
          blue = i16x8.add(blue, share(clear, i16x8.sub(v128.load8x8_u(uOut + to), zero)));
          red = i16x8.add(red, share(clear, i16x8.sub(v128.load8x8_u(vOut + to), zero)));
        }
        store<u64>(uOut + to, i64x2.extract_lane(i8x16.narrow_i16x8_u(blue, blue), 0));
        store<u64>(vOut + to, i64x2.extract_lane(i8x16.narrow_i16x8_u(red, red), 0));
      }
    }
  }
}

/** clear * value / 255; with 129 instead of 128.5 a pixel that is all clear keeps its value to the bit. */
// @ts-ignore: decorator
@inline
function share(clear: v128, value: v128): v128 {
  return i16x8.relaxed_q15mulr_s(i16x8.mul(clear, value), i16x8.splat(129));
}

/** Two runs of four places. */
// @ts-ignore: decorator
@inline
function places(first: i32, firstStep: i32, second: i32, secondStep: i32): v128 {
  const four = i16x8(0, 1, 2, 3, 0, 1, 2, 3);
  const left = i16x8.add(i16x8.splat(<i16>first), i16x8.mul(four, i16x8.splat(<i16>firstStep)));
  const right = i16x8.add(i16x8.splat(<i16>second), i16x8.mul(four, i16x8.splat(<i16>secondStep)));
  return v128.shuffle<i64>(left, right, 0, 3);
}

// @ts-ignore: decorator
@inline
function linear(from: usize, stride: i32, pairs: v128, h: v128, w0: v128, w1: v128): v128 {
  const upper = i8x16.relaxed_swizzle(v128.load(from), pairs);
  const lower = i8x16.relaxed_swizzle(v128.load(from + <usize>stride), pairs);
  return i16x8.add(
    i16x8.relaxed_q15mulr_s(i16x8.relaxed_dot_i8x16_i7x16_s(upper, h), w0),
    i16x8.relaxed_q15mulr_s(i16x8.relaxed_dot_i8x16_i7x16_s(lower, h), w1),
  );
}
