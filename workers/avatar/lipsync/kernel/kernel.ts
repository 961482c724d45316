/*
 * Arithmetic of the network in AssemblyScript. `npm run build:kernel` compiles it to kernel.wasm.
 * ../arithmetic.ts calls it and lays out the memory. All numbers are 32-bit floats; numbers and
 * addresses of arrays are multiples of 4.
 */

/** Rows multiplied at once, so that each part of the vector is read once for all of them. */
const ROWS = 8;

/**
 * Writes the products of `count` rows of `width` numbers with `vector` to `product`. `count` is a
 * multiple of ROWS.
 */
export function multiply(rows: usize, vector: usize, width: i32, product: usize, count: i32): void {
  const bytes: usize = (<usize>width) << 2;
  for (let row = 0; row < count; row += ROWS) {
    const r1 = rows + bytes;
    const r2 = r1 + bytes;
    const r3 = r2 + bytes;
    const r4 = r3 + bytes;
    const r5 = r4 + bytes;
    const r6 = r5 + bytes;
    const r7 = r6 + bytes;
    let s0 = f32x4.splat(0);
    let s1 = s0;
    let s2 = s0;
    let s3 = s0;
    let s4 = s0;
    let s5 = s0;
    let s6 = s0;
    let s7 = s0;
    for (let i: usize = 0; i < bytes; i += 16) {
      const part = v128.load(vector + i);
      s0 = f32x4.relaxed_madd(v128.load(rows + i), part, s0);
      s1 = f32x4.relaxed_madd(v128.load(r1 + i), part, s1);
      s2 = f32x4.relaxed_madd(v128.load(r2 + i), part, s2);
      s3 = f32x4.relaxed_madd(v128.load(r3 + i), part, s3);
      s4 = f32x4.relaxed_madd(v128.load(r4 + i), part, s4);
      s5 = f32x4.relaxed_madd(v128.load(r5 + i), part, s5);
      s6 = f32x4.relaxed_madd(v128.load(r6 + i), part, s6);
      s7 = f32x4.relaxed_madd(v128.load(r7 + i), part, s7);
    }
    v128.store(product, sums(s0, s1, s2, s3));
    v128.store(product, sums(s4, s5, s6, s7), 16);
    product += 4 * ROWS;
    rows = r7 + bytes;
  }
}

/** The sum of each argument's lanes. */
// @ts-ignore: decorator
@inline
function sums(a: v128, b: v128, c: v128, d: v128): v128 {
  const ab = f32x4.add(v128.shuffle<f32>(a, b, 0, 1, 4, 5), v128.shuffle<f32>(a, b, 2, 3, 6, 7));
  const cd = f32x4.add(v128.shuffle<f32>(c, d, 0, 1, 4, 5), v128.shuffle<f32>(c, d, 2, 3, 6, 7));
  return f32x4.add(v128.shuffle<f32>(ab, cd, 0, 2, 4, 6), v128.shuffle<f32>(ab, cd, 1, 3, 5, 7));
}

/**
 * One step of a GRU with `units` units: writes the state after `previousState` to `newState`.
 * `fromInput`, `fromState` and `inputBias` hold the numbers of the update gates, the reset gates
 * and the candidates, `stateBias` those of the candidates.
 */
export function advance(
  units: i32,
  fromInput: usize,
  inputBias: usize,
  fromState: usize,
  stateBias: usize,
  previousState: usize,
  newState: usize,
): void {
  const bytes: usize = (<usize>units) << 2;
  for (let i: usize = 0; i < bytes; i += 16) {
    const r = i + bytes;
    const c = r + bytes;
    const keep = sigmoid(f32x4.add(sumAt(fromInput, inputBias, i), v128.load(fromState + i)));
    const reset = sigmoid(f32x4.add(sumAt(fromInput, inputBias, r), v128.load(fromState + r)));
    const remembered = f32x4.add(v128.load(fromState + c), v128.load(stateBias + i));
    const candidate = tanh(f32x4.add(sumAt(fromInput, inputBias, c), f32x4.mul(reset, remembered)));
    const change = f32x4.sub(v128.load(previousState + i), candidate);
    v128.store(newState + i, f32x4.add(candidate, f32x4.mul(keep, change)));
  }
}

// @ts-ignore: decorator
@inline
function sumAt(a: usize, b: usize, at: usize): v128 {
  return f32x4.add(v128.load(a + at), v128.load(b + at));
}

// @ts-ignore: decorator
@inline
function sigmoid(x: v128): v128 {
  const ones = f32x4.splat(1);
  return f32x4.div(ones, f32x4.add(ones, exp(f32x4.neg(x))));
}

// @ts-ignore: decorator
@inline
function tanh(x: v128): v128 {
  const doubled = sigmoid(f32x4.add(x, x));
  return f32x4.sub(f32x4.add(doubled, doubled), f32x4.splat(1));
}

/** 2^n times the Taylor polynomial of the remainder (± ln(2) / 2): relative error below 3e-7. */
// @ts-ignore: decorator
@inline
function exp(x: v128): v128 {
  const limited = f32x4.max(f32x4.min(x, f32x4.splat(80)), f32x4.splat(-80));
  const n = f32x4.nearest(f32x4.mul(limited, f32x4.splat(1.4426950408889634)));
  // ln(2) in two parts, the first of which has few digits, so that the product is exact.
  const remainder = f32x4.sub(
    f32x4.sub(limited, f32x4.mul(n, f32x4.splat(0.693359375))),
    f32x4.mul(n, f32x4.splat(-0.00021219444005469057)),
  );
  let sum = f32x4.splat(1.0 / 720);
  sum = f32x4.add(f32x4.mul(sum, remainder), f32x4.splat(1.0 / 120));
  sum = f32x4.add(f32x4.mul(sum, remainder), f32x4.splat(1.0 / 24));
  sum = f32x4.add(f32x4.mul(sum, remainder), f32x4.splat(1.0 / 6));
  sum = f32x4.add(f32x4.mul(sum, remainder), f32x4.splat(0.5));
  sum = f32x4.add(f32x4.mul(sum, remainder), f32x4.splat(1));
  sum = f32x4.add(f32x4.mul(sum, remainder), f32x4.splat(1));
  const exponent = i32x4.add(i32x4.trunc_sat_f32x4_s(n), i32x4.splat(127));
  return f32x4.mul(sum, i32x4.shl(exponent, 23));
}
