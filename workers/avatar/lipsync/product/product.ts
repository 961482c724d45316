/*
 * The inner loop of the network: AssemblyScript, built to product.wasm by `npm run build:product`; called by ../network.ts, which lays out
 * the memory. All are 32-bit floats; `width` is a multiple of 8, so eight products are made at once.
 */

/** Writes the product of each of `count` rows of `width` with `vector` to `product`. */
export function multiply(rows: usize, vector: usize, width: i32, product: usize, count: i32): void {
  const bytes: usize = (<usize>width) << 2;
  for (let row = 0; row < count; row++) {
    let even = f32x4.splat(0);
    let odd = f32x4.splat(0);
    for (let i: usize = 0; i < bytes; i += 32) {
      even = f32x4.add(even, f32x4.mul(v128.load(rows + i), v128.load(vector + i)));
      odd = f32x4.add(odd, f32x4.mul(v128.load(rows + i, 16), v128.load(vector + i, 16)));
    }
    const all = f32x4.add(even, odd);
    const sum =
      f32x4.extract_lane(all, 0) +
      f32x4.extract_lane(all, 1) +
      (f32x4.extract_lane(all, 2) + f32x4.extract_lane(all, 3));
    store<f32>(product + ((<usize>row) << 2), sum);
    rows += bytes;
  }
}
