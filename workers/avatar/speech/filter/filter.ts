/*
 * Inner loop of the resampler in AssemblyScript. `npm run build:filter` compiles it to filter.wasm.
 * ../phase-table.ts calls it and lays out the memory. Computes eight products at once; samples are
 * 32-bit floats in units of a 16-bit step.
 */

/**
 * Writes `count` 16-bit samples to `output`. The first one is the product of `taps` samples from
 * `input` with the row of `phase`. From one to the next, the input advances by `wholeStep` samples
 * and `part` / `up` of a sample. `scale` is rows per phase. With `passes`, phase 0 passes the
 * sample unchanged.
 */
export function convert(
  input: usize,
  phase: i32,
  wholeStep: i32,
  part: i32,
  up: i32,
  rows: usize,
  taps: i32,
  scale: f64,
  passes: bool,
  output: usize,
  count: i32,
): void {
  const width: usize = (<usize>taps) << 2;
  const middle: usize = ((<usize>taps >> 1) - 1) << 2;
  const step: usize = (<usize>wholeStep) << 2;
  for (let n = 0; n < count; n++) {
    let value: f32;
    if (passes && phase == 0) {
      value = load<f32>(input + middle);
    } else {
      const row: usize = rows + <usize>(<i32>(<f64>phase * scale)) * width;
      let even = f32x4.splat(0);
      let odd = f32x4.splat(0);
      for (let i: usize = 0; i < width; i += 32) {
        even = f32x4.add(even, f32x4.mul(v128.load(input + i), v128.load(row + i)));
        odd = f32x4.add(odd, f32x4.mul(v128.load(input + i, 16), v128.load(row + i, 16)));
      }
      const sums = f32x4.add(even, odd);
      value =
        f32x4.extract_lane(sums, 0) +
        f32x4.extract_lane(sums, 1) +
        (f32x4.extract_lane(sums, 2) + f32x4.extract_lane(sums, 3));
    }
    const rounded = floor<f32>(value + 0.5);
    store<i16>(output + ((<usize>n) << 1), <i16>max<f32>(-32768, min<f32>(32767, rounded)));
    input += step;
    phase += part;
    if (phase >= up) {
      phase -= up;
      input += 4;
    }
  }
}
