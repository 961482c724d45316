/*
 * Inner loop of the network in AssemblyScript. `npm run build:product` compiles it to product.wasm.
 * ../matrix.ts calls it and lays out the memory. All numbers are 32-bit floats; `width` is a
 * multiple of 8, and eight products are computed at once.
 */

/** Writes the products of `count` rows of `width` with `vector` to `product`. */
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
