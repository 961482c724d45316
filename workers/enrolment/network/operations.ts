/* The operations of the graphs besides convolutions. Inputs are not changed. */
import { along, type Windows } from './convolution.ts';
import { like, type Tensor, tensor } from './tensor.ts';

/*
 * Each has a loop of its own: V8 inlines no function that a shared loop calls in several ways, and
 * a call for each value takes several times as long as its arithmetic. Of two operands the smaller
 * one repeats, such as one value for each channel.
 */

export function add(a: Tensor, b: Tensor): Tensor {
  const { result, values, large, small } = operands(a, b);
  for (let start = 0; start < large.length; start += small.length) {
    for (let i = 0; i < small.length; i++) values[start + i] = large[start + i]! + small[i]!;
  }
  return result;
}

export function multiply(a: Tensor, b: Tensor): Tensor {
  const { result, values, large, small } = operands(a, b);
  for (let start = 0; start < large.length; start += small.length) {
    for (let i = 0; i < small.length; i++) values[start + i] = large[start + i]! * small[i]!;
  }
  return result;
}

export function prelu(input: Tensor, slopes: Tensor): Tensor {
  const { result, values, large, small } = operands(input, slopes);
  for (let start = 0; start < large.length; start += small.length) {
    for (let i = 0; i < small.length; i++) {
      const value = large[start + i]!;
      values[start + i] = value < 0 ? value * small[i]! : value;
    }
  }
  return result;
}

export function relu(input: Tensor): Tensor {
  const result = like(input);
  const [from, into] = [input.values, result.values];
  for (let i = 0; i < from.length; i++) into[i] = Math.max(0, from[i]!);
  return result;
}

export function relu6(input: Tensor): Tensor {
  const result = like(input);
  const [from, into] = [input.values, result.values];
  for (let i = 0; i < from.length; i++) into[i] = Math.min(6, Math.max(0, from[i]!));
  return result;
}

export function sigmoid(input: Tensor): Tensor {
  const result = like(input);
  const [from, into] = [input.values, result.values];
  for (let i = 0; i < from.length; i++) into[i] = 1 / (1 + Math.exp(-from[i]!));
  return result;
}

function operands(a: Tensor, b: Tensor) {
  const [large, small] = a.values.length >= b.values.length ? [a, b] : [b, a];
  const result = like(large);
  return { result, values: result.values, large: large.values, small: small.values };
}

export const maxPool = (input: Tensor, size: number, windows: Windows): Tensor =>
  pool(input, size, windows, -Infinity, Math.max);

export function averagePool(input: Tensor, size: number, windows: Windows): Tensor {
  const sums = pool(input, size, windows, 0, (sum, value) => sum + value);
  return { ...sums, values: sums.values.map((sum) => sum / size ** 2) };
}

function pool(
  input: Tensor,
  size: number,
  windows: Windows,
  start: number,
  join: (pooled: number, value: number) => number,
): Tensor {
  const rows = along(input.height, size, windows);
  const columns = along(input.width, size, windows);
  const { channels } = input;
  const result = tensor(rows.count, columns.count, channels);
  result.values.fill(start);
  for (let y = 0; y < rows.count; y++) {
    const topRow = y * windows.stride - rows.padBefore;
    for (let x = 0; x < columns.count; x++) {
      const leftColumn = x * windows.stride - columns.padBefore;
      const into = (y * columns.count + x) * channels;
      for (let row = Math.max(0, topRow); row < Math.min(input.height, topRow + size); row++) {
        for (
          let at = Math.max(0, leftColumn);
          at < Math.min(input.width, leftColumn + size);
          at++
        ) {
          const from = (row * input.width + at) * channels;
          for (let i = 0; i < channels; i++)
            result.values[into + i] = join(result.values[into + i]!, input.values[from + i]!);
        }
      }
    }
  }
  return result;
}

/** Adds empty channels behind the others. */
export function padChannels(input: Tensor, extraChannels: number): Tensor {
  const result = tensor(input.height, input.width, input.channels + extraChannels);
  for (let i = 0; i < input.height * input.width; i++) {
    const place = input.values.subarray(i * input.channels, (i + 1) * input.channels);
    result.values.set(place, i * result.channels);
  }
  return result;
}

/** `fromCentres`: aligns the centres of pixels instead of their corners. */
export function resize(input: Tensor, height: number, width: number, fromCentres: boolean): Tensor {
  const { channels, values } = input;
  const result = tensor(height, width, channels);
  const columns = Array.from({ length: width }, (_, x) =>
    source(x, width, input.width, fromCentres),
  );
  for (let y = 0; y < height; y++) {
    const row = source(y, height, input.height, fromCentres);
    for (let x = 0; x < width; x++) {
      const column = columns[x]!;
      for (let i = 0; i < channels; i++) {
        const at = (line: number, place: number) =>
          values[(line * input.width + place) * channels + i]!;
        const above = mix(at(row.first, column.first), at(row.first, column.second), column.share);
        const below = mix(
          at(row.second, column.first),
          at(row.second, column.second),
          column.share,
        );
        result.values[(y * width + x) * channels + i] = mix(above, below, row.share);
      }
    }
  }
  return result;
}

function source(at: number, count: number, of: number, fromCentres: boolean) {
  const scale = of / count;
  const place = Math.max(0, fromCentres ? (at + 0.5) * scale - 0.5 : at * scale);
  const index = Math.floor(place);
  return { first: index, second: Math.min(of - 1, index + 1), share: place - index };
}

const mix = (from: number, to: number, share: number) => from + (to - from) * share;
