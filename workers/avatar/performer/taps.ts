/**
 * Source pixels and weights for each pixel of a scaled line; see warp/resample.ts. All weights are
 * 0 before the pixel `start` and from `end` on.
 */
export type Taps = {
  count: number;
  tapCount: number;
  table: Uint8Array;
  start: number;
  end: number;
};

/** Pixels beyond the ends of a line: zeros, the line as in a mirror, or its last pixel. */
type Outside = 'zero' | 'mirror' | 'repeat';

type Line = {
  /** Place of the first pixel's upper left corner in the source, in its pixels. */
  start: number;
  /** Source pixels for each pixel. */
  step: number;
  sourceCount: number;
  outside: Outside;
};

/** `count` pixels by Catmull-Rom weights, stretched if the line shrinks. */
export function tapsOf(count: number, { start, step, sourceCount, outside }: Line): Taps {
  const stretch = Math.max(1, step);
  const reach = 2 * stretch;
  const tapCount = 4 * Math.ceil((2 * Math.ceil(reach) + 1) / 4);
  const table = new Uint8Array(4 * count * (1 + tapCount));
  const firsts = new Int32Array(table.buffer, 0, count);
  const weights = new Float32Array(table.buffer, 4 * count);
  const last = sourceCount - 1;
  let [shownStart, shownEnd] = [count, 0];
  for (let i = 0; i < count; i++) {
    const wished = start + (i + 0.5) * step - 0.5;
    const centre = outside === 'mirror' ? mirrored(wished, last) : wished;
    const from = Math.ceil(centre - reach);
    const first = Math.min(Math.max(0, last - tapCount + 1), Math.max(0, from));
    firsts[i] = first;
    if (outside !== 'zero' || (centre + reach >= 0 && from <= last)) {
      shownStart = Math.min(shownStart, i);
      shownEnd = i + 1;
    }
    let sum = 0;
    for (let j = from; j <= centre + reach; j++) sum += catmullRom((j - centre) / stretch);
    for (let j = from; j <= centre + reach; j++) {
      const isInside = j >= 0 && j <= last;
      if (!isInside && outside === 'zero') continue;
      const tap = Math.min(last, Math.max(0, j)) - first;
      // Far outside, only the nearest pixels count.
      const at = i * tapCount + Math.min(tapCount - 1, Math.max(0, tap));
      weights[at] = weights[at]! + catmullRom((j - centre) / stretch) / sum;
    }
  }
  return { count, tapCount, table, start: Math.min(shownStart, shownEnd), end: shownEnd };
}

function mirrored(at: number, last: number): number {
  if (last === 0) return 0;
  const period = 2 * last;
  const inPeriod = ((at % period) + period) % period;
  return inPeriod > last ? period - inPeriod : inPeriod;
}

/** Interpolating cubic; 0 beyond 2. */
function catmullRom(at: number): number {
  const x = Math.abs(at);
  if (x >= 2) return 0;
  return x < 1 ? (1.5 * x - 2.5) * x * x + 1 : ((-0.5 * x + 2.5) * x - 4) * x + 2;
}
