/** Mean luma of a grid of squares, row by row. */
export type Look = number[];

const SIDE = 24;

/** From an I420 picture, whose first plane is luma. */
export function lookOfFrame(light: Uint8Array, width: number, height: number): Look {
  const sums = Array.from({ length: SIDE * SIDE }, () => ({ sum: 0, count: 0 }));
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const row = Math.floor((y * SIDE) / height);
      const square = sums[row * SIDE + Math.floor((x * SIDE) / width)]!;
      square.sum += light[y * width + x]!;
      square.count += 1;
    }
  }
  return sums.map(({ sum, count }) => sum / count);
}

/** Correlation: 1 for the same distribution of light, 0 for unrelated pictures. */
export function likeness(look: Look, reference: Look): number {
  const [a, b] = [fromMean(look), fromMean(reference)];
  return product(a, b) / Math.sqrt(product(a, a) * product(b, b));
}

const fromMean = (look: Look): Look => {
  const mean = look.reduce((sum, light) => sum + light, 0) / look.length;
  return look.map((light) => light - mean);
};

const product = (a: Look, b: Look): number => a.reduce((sum, light, at) => sum + light * b[at]!, 0);
