/*
 * Inner loops of the networks in AssemblyScript. `npm run build:networks` compiles them to
 * kernel.wasm. ../convolution.ts calls them and lays out the memory. All numbers are 32-bit floats,
 * filters are square, and the vectorised side, `outputs` or `channels`, is a multiple of 4.
 */

/**
 * Writes `rows` x `columns` places of `outputs`. The filter begins `padTop` places above and
 * `padLeft` left of its place.
 */
export function convolve(
  from: usize,
  height: i32,
  width: i32,
  inputs: i32,
  filter: usize,
  side: i32,
  outputs: i32,
  stride: i32,
  padTop: i32,
  padLeft: i32,
  into: usize,
  rows: i32,
  columns: i32,
): void {
  const rowBytes: usize = (<usize>outputs) << 2;
  for (let y = 0; y < rows; y++) {
    for (let x = 0; x < columns; x++) {
      for (let out = 0; out < outputs;) {
        const isWide = out + 16 <= outputs;
        let a = f32x4.splat(0);
        let b = f32x4.splat(0);
        let c = f32x4.splat(0);
        let d = f32x4.splat(0);
        for (let fy = 0; fy < side; fy++) {
          const row = y * stride - padTop + fy;
          if (row < 0 || row >= height) continue;
          for (let fx = 0; fx < side; fx++) {
            const column = x * stride - padLeft + fx;
            if (column < 0 || column >= width) continue;
            let value = from + ((<usize>((row * width + column) * inputs)) << 2);
            let weight = filter + ((<usize>((fy * side + fx) * inputs * outputs + out)) << 2);
            const end = value + ((<usize>inputs) << 2);
            if (isWide) {
              for (; value < end; value += 4, weight += rowBytes) {
                const splat = v128.load32_splat(value);
                a = f32x4.add(a, f32x4.mul(splat, v128.load(weight)));
                b = f32x4.add(b, f32x4.mul(splat, v128.load(weight, 16)));
                c = f32x4.add(c, f32x4.mul(splat, v128.load(weight, 32)));
                d = f32x4.add(d, f32x4.mul(splat, v128.load(weight, 48)));
              }
            } else {
              for (; value < end; value += 4, weight += rowBytes)
                a = f32x4.add(a, f32x4.mul(v128.load32_splat(value), v128.load(weight)));
            }
          }
        }
        v128.store(into, a);
        if (isWide) {
          v128.store(into, b, 16);
          v128.store(into, c, 32);
          v128.store(into, d, 48);
        }
        into += isWide ? 64 : 16;
        out += isWide ? 16 : 4;
      }
    }
  }
}

/** The same with a filter for each channel. */
export function convolveDepthwise(
  from: usize,
  height: i32,
  width: i32,
  channels: i32,
  filter: usize,
  side: i32,
  stride: i32,
  padTop: i32,
  padLeft: i32,
  into: usize,
  rows: i32,
  columns: i32,
): void {
  for (let y = 0; y < rows; y++) {
    for (let x = 0; x < columns; x++) {
      for (let channel = 0; channel < channels; channel += 4) {
        let sum = f32x4.splat(0);
        for (let fy = 0; fy < side; fy++) {
          const row = y * stride - padTop + fy;
          if (row < 0 || row >= height) continue;
          for (let fx = 0; fx < side; fx++) {
            const column = x * stride - padLeft + fx;
            if (column < 0 || column >= width) continue;
            const value = from + ((<usize>((row * width + column) * channels + channel)) << 2);
            const weight = filter + ((<usize>((fy * side + fx) * channels + channel)) << 2);
            sum = f32x4.add(sum, f32x4.mul(v128.load(value), v128.load(weight)));
          }
        }
        v128.store(into, sum);
        into += 16;
      }
    }
  }
}
