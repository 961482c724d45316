/*
 * Turns a face: AssemblyScript, built to warp.wasm by `npm run build:warp`; called by ../face.ts, which lays out the memory.
 *
 * One instance holds one face. Its planes are 8 bits with PAD pixels of border all around (PAD / 2 for colour), colour multiplied by alpha.
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
      const sum = i16x8.add(v128.load8x8_u(to + column), difference);
      store<u64>(to + column, i64x2.extract_lane(i8x16.narrow_i16x8_u(sum, sum), 0));
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
  const lastX = <f32>(across - 1) - 0.001;
  const lastY = <f32>(down - 1) - 0.001;
  const row: usize = <usize>across << 3;
  for (let j: i32 = 0; j < down; j++) {
    for (let i: i32 = 0; i < across; i++) {
      const k: usize = <usize>(j * across + i);
      if (!load<u8>(needed + k)) continue;
      let ux: f32 = -load<f32>(forward + (k << 3));
      let uy: f32 = -load<f32>(forward + (k << 3), 4);
      for (let round: i32 = 0; round < ROUNDS; round++) {
        const x: f32 = min(lastX, max(<f32>0, <f32>i + ux * 0.125));
        const y: f32 = min(lastY, max(<f32>0, <f32>j + uy * 0.125));
        const x0 = <i32>x;
        const y0 = <i32>y;
        const at = forward + (<usize>(y0 * across + x0) << 3);
        const upper = v128.load(at);
        const lower = v128.load(at + row);
        const pair = f32x4.add(
          upper,
          f32x4.mul(f32x4.sub(lower, upper), f32x4.splat(y - <f32>y0)),
        );
        const fx = x - <f32>x0;
        const leftX = f32x4.extract_lane(pair, 0);
        const leftY = f32x4.extract_lane(pair, 1);
        ux = -(leftX + (f32x4.extract_lane(pair, 2) - leftX) * fx);
        uy = -(leftY + (f32x4.extract_lane(pair, 3) - leftY) * fx);
      }
      store<f32>(backward + (k << 3), ux);
      store<f32>(backward + (k << 3), uy, 4);
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
  const half = i16x8.splat(32);
  for (let cj: i32 = 0; cj < down; cj++) {
    for (let ci: i32 = 0; ci < across; ci++) {
      const at = backward + (<usize>(cj * (across + 1) + ci) << 3);
      const x00 = load<f32>(at);
      const y00 = load<f32>(at, 4);
      const x10 = load<f32>(at, 8);
      const y10 = load<f32>(at, 12);
      const x01 = load<f32>(at + nodeRow);
      const y01 = load<f32>(at + nodeRow, 4);
      const x11 = load<f32>(at + nodeRow, 8);
      const y11 = load<f32>(at + nodeRow, 12);
      const sourceX = ci * CELL + 4 + <i32>((x00 + x10 + x01 + x11) * 0.25);
      const sourceY = cj * CELL + 4 + <i32>((y00 + y10 + y01 + y11) * 0.25);
      const kind = <i32>load<u8>(
        classes + <usize>(clamp(sourceY >> 3, 0, down - 1) * across + clamp(sourceX >> 3, 0, across - 1)),
      );
      store<u8>(shown + <usize>(cj * across + ci), kind);
      if (kind == EMPTY) continue;

      for (let r: i32 = 0; r < CELL; r++) {
        const t: f32 = (<f32>r + 0.5) * 0.125;
        const leftX = x00 + (x01 - x00) * t;
        const leftY = y00 + (y01 - y00) * t;
        const stepX = (x10 + (x11 - x10) * t - leftX) * 0.125;
        const stepY = (y10 + (y11 - y10) * t - leftY) * 0.125;
        const px = <f32>(ci * CELL) + leftX + stepX * 0.5;
        const py = <f32>(cj * CELL + r) + leftY + stepY * 0.5;
        const x0 = <i32>Mathf.floor(px);
        const y0 = <i32>Mathf.floor(py);
        // Places within the face, from (x0, y0), with 11 bits of fraction.
        const placeX = i16x8.add(
          i16x8.splat(<i16>((px - <f32>x0) * 2048)),
          i16x8.mul(iota(), i16x8.splat(<i16>((1 + stepX) * 2048 + 0.5))),
        );
        const placeY = i16x8.add(
          i16x8.splat(<i16>((py - <f32>y0) * 2048)),
          i16x8.mul(iota(), i16x8.splat(<i16>(Mathf.floor(stepY * 2048 + 0.5)))),
        );
        const low = i16x8.splat(2047);
        const tx = i16x8.shl(v128.and(placeX, low), 3);
        const ty = i16x8.shl(v128.and(placeY, low), 3);
        const i0 = v128.or(i16x8.shr_s(placeX, 11), i16x8.splat(-32768));
        const rows = i16x8.shr_s(placeY, 11);

        // Catmull-Rom weights: across of 64, down of 32767. Sums saturate where a weight is 1, which 16 bits just do not hold.
        const ax = i16x8.relaxed_q15mulr_s(tx, i16x8.shl(tx, 1));
        const bx = i16x8.relaxed_q15mulr_s(ax, i16x8.shl(tx, 1));
        const h0 = of64(i16x8.sub(i16x8.sub(i16x8.shl(ax, 1), tx), bx));
        const h3 = of64(i16x8.sub(bx, ax));
        const h2 = of64(
          i16x8.add_sat_s(tx, i16x8.sub(i16x8.shl(ax, 2), i16x8.add(bx, i16x8.shl(bx, 1)))),
        );
        const h1 = i16x8.sub(i16x8.splat(64), i16x8.add(h0, i16x8.add(h2, h3)));
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

        const first = <i32>i16x8.extract_lane_s(rows, 0);
        const last = <i32>i16x8.extract_lane_s(rows, 7);
        const top = min(first, last);
        const bottom = max(first, last);
        const column = clamp(x0, 1 - PAD, width + PAD - 17) - 1;
        let from = <usize>((clamp(y0 + top, 1 - PAD, height + PAD - 4) - 1) * stride + column);
        const to = out + <usize>((cj * CELL + r) * width + ci * CELL);

        let light = cubic(y + from, stride, i0, h0, h1, h2, h3, w0, w1, w2, w3);
        let cover = half;
        if (kind == EDGE) cover = cubic(a + from, stride, i0, h0, h1, h2, h3, w0, w1, w2, w3);
        // Where the row slopes, its pixels come from two or more rows.
        for (let next = top + 1; next <= bottom; next++) {
          from = <usize>((clamp(y0 + next, 1 - PAD, height + PAD - 4) - 1) * stride + column);
          const chosen = i16x8.eq(rows, i16x8.splat(<i16>next));
          light = v128.bitselect(cubic(y + from, stride, i0, h0, h1, h2, h3, w0, w1, w2, w3), light, chosen);
          if (kind == EDGE)
            cover = v128.bitselect(cubic(a + from, stride, i0, h0, h1, h2, h3, w0, w1, w2, w3), cover, chosen);
        }
        light = i16x8.shr_s(i16x8.add(light, half), 6);
        if (kind == EDGE) {
          const clear = i16x8.sub(i16x8.splat(255), bounded(i16x8.shr_s(i16x8.add(cover, half), 6)));
          const behind = i16x8.add(i16x8.mul(clear, v128.load8x8_u(to)), i16x8.splat(128));
          light = i16x8.add(light, i16x8.shr_u(i16x8.add(behind, i16x8.shr_u(behind, 8)), 8));
        }
        store<u64>(to, i64x2.extract_lane(i8x16.narrow_i16x8_u(light, light), 0));
      }
    }
  }
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
  i0: v128,
  h0: v128,
  h1: v128,
  h2: v128,
  h3: v128,
  w0: v128,
  w1: v128,
  w2: v128,
  w3: v128,
): v128 {
  const next = <usize>stride;
  const upper = i16x8.add(
    i16x8.relaxed_q15mulr_s(cubicRow(from, i0, h0, h1, h2, h3), w0),
    i16x8.relaxed_q15mulr_s(cubicRow(from + next, i0, h0, h1, h2, h3), w1),
  );
  const lower = i16x8.add(
    i16x8.relaxed_q15mulr_s(cubicRow(from + 2 * next, i0, h0, h1, h2, h3), w2),
    i16x8.relaxed_q15mulr_s(cubicRow(from + 3 * next, i0, h0, h1, h2, h3), w3),
  );
  return i16x8.add(upper, lower);
}

// @ts-ignore: decorator
@inline
function cubicRow(from: usize, i0: v128, h0: v128, h1: v128, h2: v128, h3: v128): v128 {
  const bytes = v128.load(from);
  const one = i16x8.splat(1);
  const i1 = i16x8.add(i0, one);
  const i2 = i16x8.add(i1, one);
  const i3 = i16x8.add(i2, one);
  return i16x8.add(
    i16x8.add(
      i16x8.mul(i8x16.relaxed_swizzle(bytes, i0), h0),
      i16x8.mul(i8x16.relaxed_swizzle(bytes, i1), h1),
    ),
    i16x8.add(
      i16x8.mul(i8x16.relaxed_swizzle(bytes, i2), h2),
      i16x8.mul(i8x16.relaxed_swizzle(bytes, i3), h3),
    ),
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
  const steps = f32x4(0, 1, 2, 3);
  const half = i16x8.splat(32);
  const zero = i16x8.splat(128);
  for (let cj: i32 = 0; cj < down; cj++) {
    for (let ci: i32 = 0; ci < across; ci++) {
      const cell = shown + <usize>(2 * cj * cells + 2 * ci);
      const kinds = load<u16>(cell) | (<i32>load<u16>(cell + <usize>cells) << 16);
      if (kinds == 0) continue;
      const isSolid = kinds == 0x01010101;
      for (let r: i32 = 0; r < 8; r++) {
        const at = backward + (<usize>((2 * cj + (r >> 2)) * (cells + 1) + 2 * ci) << 3);
        const inCell: i32 = 2 * (r & 3) + 1;
        const t: f32 = <f32>inCell * 0.125;
        const leftX = between(at, at + nodeRow, t);
        const leftY = between(at + 4, at + nodeRow + 4, t);
        const middleX = between(at + 8, at + nodeRow + 8, t);
        const middleY = between(at + 12, at + nodeRow + 12, t);
        const rightX = between(at + 16, at + nodeRow + 16, t);
        const rightY = between(at + 20, at + nodeRow + 20, t);

        const firstX = <f32>(ci * 8) + leftX * 0.5 + (middleX - leftX) * 0.0625;
        const secondX = <f32>(ci * 8 + 4) + middleX * 0.5 + (rightX - middleX) * 0.0625;
        const firstY = <f32>(cj * 8 + r) + leftY * 0.5 + (middleY - leftY) * 0.0625;
        const secondY = <f32>(cj * 8 + r) + middleY * 0.5 + (rightY - middleY) * 0.0625;
        const x0 = <i32>Mathf.floor(firstX);
        const y0 = <i32>Mathf.floor(firstY);
        const placeX = places(
          firstX - <f32>x0,
          1 + (middleX - leftX) * 0.125,
          secondX - <f32>x0,
          1 + (rightX - middleX) * 0.125,
          steps,
        );
        const placeY = places(
          firstY - <f32>y0,
          (middleY - leftY) * 0.125,
          secondY - <f32>y0,
          (rightY - middleY) * 0.125,
          steps,
        );
        const low = i16x8.splat(2047);
        const h1 = i16x8.shr_s(v128.and(placeX, low), 5);
        const h0 = i16x8.sub(i16x8.splat(64), h1);
        const w1 = i16x8.shl(v128.and(placeY, low), 4);
        const w0 = i16x8.sub(i16x8.splat(32767), w1);
        const i0 = v128.or(i16x8.shr_s(placeX, 11), i16x8.splat(-32768));
        const i1 = i16x8.add(i0, i16x8.splat(1));
        const rows = i16x8.shr_s(placeY, 11);
        const a = <i32>i16x8.extract_lane_s(rows, 0);
        const b = <i32>i16x8.extract_lane_s(rows, 3);
        const c = <i32>i16x8.extract_lane_s(rows, 4);
        const d = <i32>i16x8.extract_lane_s(rows, 7);
        const top = min(min(a, b), min(c, d));
        const bottom = max(max(a, b), max(c, d));
        const column = clamp(x0, -PAD / 2, halfWidth + PAD / 2 - 16);

        let blue = half;
        let red = half;
        let cover = half;
        for (let next = top; next <= bottom; next++) {
          const from = <usize>(clamp(y0 + next, -PAD / 2, halfHeight + PAD / 2 - 2) * stride + column);
          const chosen = i16x8.eq(rows, i16x8.splat(<i16>next));
          blue = v128.bitselect(linear(u + from, stride, i0, i1, h0, h1, w0, w1), blue, chosen);
          red = v128.bitselect(linear(v + from, stride, i0, i1, h0, h1, w0, w1), red, chosen);
          if (!isSolid)
            cover = v128.bitselect(linear(halfA + from, stride, i0, i1, h0, h1, w0, w1), cover, chosen);
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

// @ts-ignore: decorator
@inline
function between(upper: usize, lower: usize, t: f32): f32 {
  const from = load<f32>(upper);
  return from + (load<f32>(lower) - from) * t;
}

/** Two runs of four places, with 11 bits of fraction. */
// @ts-ignore: decorator
@inline
function places(first: f32, firstStep: f32, second: f32, secondStep: f32, steps: v128): v128 {
  const scale = f32x4.splat(2048);
  const left = f32x4.add(f32x4.splat(first), f32x4.mul(steps, f32x4.splat(firstStep)));
  const right = f32x4.add(f32x4.splat(second), f32x4.mul(steps, f32x4.splat(secondStep)));
  return i16x8.narrow_i32x4_s(
    i32x4.trunc_sat_f32x4_s(f32x4.floor(f32x4.mul(left, scale))),
    i32x4.trunc_sat_f32x4_s(f32x4.floor(f32x4.mul(right, scale))),
  );
}

// @ts-ignore: decorator
@inline
function linear(
  from: usize,
  stride: i32,
  i0: v128,
  i1: v128,
  h0: v128,
  h1: v128,
  w0: v128,
  w1: v128,
): v128 {
  const upper = v128.load(from);
  const lower = v128.load(from + <usize>stride);
  const above = i16x8.add(
    i16x8.mul(i8x16.relaxed_swizzle(upper, i0), h0),
    i16x8.mul(i8x16.relaxed_swizzle(upper, i1), h1),
  );
  const below = i16x8.add(
    i16x8.mul(i8x16.relaxed_swizzle(lower, i0), h0),
    i16x8.mul(i8x16.relaxed_swizzle(lower, i1), h1),
  );
  return i16x8.add(i16x8.relaxed_q15mulr_s(above, w0), i16x8.relaxed_q15mulr_s(below, w1));
}
