/*
 * Forward DCT by Arai, Agui and Nakajima, "A fast DCT-SQ scheme for images" (Transactions of the
 * IEICE E71, 1988), 8 columns at once. Its results are scaled by a constant each, which is part of
 * the quantisers. Samples enter doubled: the largest sum of two passes still fits in 16 bits.
 */
import { FACTORS, FIRST_FACTORS, LEVEL, SECOND_FACTORS } from './layout';
import { scratch, tables } from './state';

/** Writes the quantised coefficients of 8 x 8 samples to `scratch`, row by row. */
export function transform(from: usize, stride: usize, component: usize): void {
  const level = v128.load(component, LEVEL);
  for (let row: usize = 0; row < 128; row += 16) {
    const samples = i16x8.sub(v128.load8x8_u(from), level);
    v128.store(scratch + row, i16x8.add(samples, samples));
    from += stride;
  }
  pass();
  transpose();
  pass();
  transpose();
  for (let row: usize = 0; row < 128; row += 16) {
    const firstFactor = v128.load(component + row, FIRST_FACTORS);
    const secondFactor = v128.load(component + row, SECOND_FACTORS);
    const value = i16x8.relaxed_q15mulr_s(v128.load(scratch + row), firstFactor);
    v128.store(scratch + row, i16x8.relaxed_q15mulr_s(value, secondFactor));
  }
}

// @ts-ignore: decorator
@inline
function pass(): void {
  const factors = tables + FACTORS;
  const x0 = v128.load(scratch);
  const x1 = v128.load(scratch, 16);
  const x2 = v128.load(scratch, 32);
  const x3 = v128.load(scratch, 48);
  const x4 = v128.load(scratch, 64);
  const x5 = v128.load(scratch, 80);
  const x6 = v128.load(scratch, 96);
  const x7 = v128.load(scratch, 112);

  const half = v128.load(factors);
  const sum07 = i16x8.add(x0, x7);
  const sum16 = i16x8.add(x1, x6);
  const sum25 = i16x8.add(x2, x5);
  const sum34 = i16x8.add(x3, x4);
  const outer = i16x8.add(sum07, sum34);
  const inner = i16x8.add(sum16, sum25);
  const bent = i16x8.sub(sum07, sum34);
  const bend = i16x8.relaxed_q15mulr_s(i16x8.add(bent, i16x8.sub(sum16, sum25)), half);
  v128.store(scratch, i16x8.add(outer, inner));
  v128.store(scratch, i16x8.sub(outer, inner), 64);
  v128.store(scratch, i16x8.add(bent, bend), 32);
  v128.store(scratch, i16x8.sub(bent, bend), 96);

  const step07 = i16x8.sub(x0, x7);
  const step16 = i16x8.sub(x1, x6);
  const step25 = i16x8.sub(x2, x5);
  const step34 = i16x8.sub(x3, x4);
  const steep = i16x8.add(step34, step25);
  const middle = i16x8.relaxed_q15mulr_s(i16x8.add(step25, step16), half);
  const flat = i16x8.add(step16, step07);
  // A rotation by an eighth of a half turn.
  const cosine = v128.load(factors, 16);
  const sine = v128.load(factors, 32);
  const down = i16x8.sub(i16x8.relaxed_q15mulr_s(steep, cosine), i16x8.relaxed_q15mulr_s(flat, sine));
  const up = i16x8.add(i16x8.relaxed_q15mulr_s(steep, sine), i16x8.relaxed_q15mulr_s(flat, cosine));
  const high = i16x8.add(step07, middle);
  const low = i16x8.sub(step07, middle);
  v128.store(scratch, i16x8.add(low, down), 80);
  v128.store(scratch, i16x8.sub(low, down), 48);
  v128.store(scratch, i16x8.add(high, up), 16);
  v128.store(scratch, i16x8.sub(high, up), 112);
}

// @ts-ignore: decorator
@inline
function transpose(): void {
  const x0 = v128.load(scratch);
  const x1 = v128.load(scratch, 16);
  const x2 = v128.load(scratch, 32);
  const x3 = v128.load(scratch, 48);
  const x4 = v128.load(scratch, 64);
  const x5 = v128.load(scratch, 80);
  const x6 = v128.load(scratch, 96);
  const x7 = v128.load(scratch, 112);
  // Three perfect shuffles of rows k and k + 4.
  const a0 = lower(x0, x4);
  const a1 = upper(x0, x4);
  const a2 = lower(x1, x5);
  const a3 = upper(x1, x5);
  const a4 = lower(x2, x6);
  const a5 = upper(x2, x6);
  const a6 = lower(x3, x7);
  const a7 = upper(x3, x7);
  const b0 = lower(a0, a4);
  const b1 = upper(a0, a4);
  const b2 = lower(a1, a5);
  const b3 = upper(a1, a5);
  const b4 = lower(a2, a6);
  const b5 = upper(a2, a6);
  const b6 = lower(a3, a7);
  const b7 = upper(a3, a7);
  v128.store(scratch, lower(b0, b4));
  v128.store(scratch, upper(b0, b4), 16);
  v128.store(scratch, lower(b1, b5), 32);
  v128.store(scratch, upper(b1, b5), 48);
  v128.store(scratch, lower(b2, b6), 64);
  v128.store(scratch, upper(b2, b6), 80);
  v128.store(scratch, lower(b3, b7), 96);
  v128.store(scratch, upper(b3, b7), 112);
}

// @ts-ignore: decorator
@inline
function lower(a: v128, b: v128): v128 {
  return v128.shuffle<i16>(a, b, 0, 8, 1, 9, 2, 10, 3, 11);
}

// @ts-ignore: decorator
@inline
function upper(a: v128, b: v128): v128 {
  return v128.shuffle<i16>(a, b, 4, 12, 5, 13, 6, 14, 7, 15);
}
