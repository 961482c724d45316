import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import {
  convolve,
  convolveDepthwise,
  convolveTransposed,
  type Filter,
} from '../../../../workers/enrolment/network/convolution.ts';
import { Network } from '../../../../workers/enrolment/network/network.ts';
import { type Tensor, tensor } from '../../../../workers/enrolment/network/tensor.ts';

/** Small whole numbers, so that every order of additions gives the same sum. */
const numbers = (count: number, seed: number): Float32Array =>
  Float32Array.from({ length: count }, (_, i) => ((i * 7 + seed * 13) % 11) - 5);

const picture = (height: number, width: number, channels: number): Tensor => ({
  ...tensor(height, width, channels),
  values: numbers(height * width * channels, 1),
});

const filterOf = (side: number, inputs: number, outputs: number): Filter => ({
  side,
  inputs,
  outputs,
  values: numbers(side * side * inputs * outputs, 2),
});

/**
 * The definition: what a window holds, times the filter. `padBefore` is the padding above and left.
 */
function sum(input: Tensor, filter: Filter, top: number, leftColumn: number, out: number): number {
  let total = 0;
  for (let y = 0; y < filter.side; y++) {
    for (let x = 0; x < filter.side; x++) {
      const [row, column] = [top + y, leftColumn + x];
      const isInside = row >= 0 && column >= 0 && row < input.height && column < input.width;
      if (!isInside) continue;
      for (let i = 0; i < filter.inputs; i++) {
        const value = input.values[(row * input.width + column) * input.channels + i]!;
        const weight = ((y * filter.side + x) * filter.inputs + i) * filter.outputs + out;
        total += value * filter.values[weight]!;
      }
    }
  }
  return total;
}

describe('a convolution', () => {
  test.each([
    { side: 1, stride: 1, isPadded: false, outputs: 4, padBefore: 0, rows: 7, columns: 6 },
    { side: 3, stride: 1, isPadded: true, outputs: 20, padBefore: 1, rows: 7, columns: 6 },
    { side: 3, stride: 3, isPadded: false, outputs: 1, padBefore: 0, rows: 2, columns: 2 },
    { side: 2, stride: 2, isPadded: false, outputs: 18, padBefore: 0, rows: 3, columns: 3 },
  ])(
    'of $side x $side with stride $stride to $outputs channels adds what its windows hold',
    ({ side, stride, isPadded, outputs, padBefore, rows, columns }) => {
      const input = picture(7, 6, 5);
      const filter = filterOf(side, 5, outputs);

      const result = convolve(input, filter, { stride, isPadded });

      expect([result.height, result.width, result.channels]).toEqual([rows, columns, outputs]);
      const expected = Array.from({ length: rows * columns * outputs }, (_, i) => {
        const place = Math.floor(i / outputs);
        const [row, column] = [Math.floor(place / columns), place % columns];
        return sum(
          input,
          filter,
          row * stride - padBefore,
          column * stride - padBefore,
          i % outputs,
        );
      });
      expect([...result.values]).toEqual(expected);
    },
  );

  test('with an even side pads more behind than before, as TensorFlow does', () => {
    const input = picture(4, 4, 1);

    const result = convolve(input, filterOf(3, 1, 4), { stride: 2, isPadded: true });

    // The first window starts at the first pixel, and the last one reaches over the edge.
    expect(result.values[0]).toBe(sum(input, filterOf(3, 1, 4), 0, 0, 0));
    expect(result.values[12]).toBe(sum(input, filterOf(3, 1, 4), 2, 2, 0));
  });

  test('by depth keeps channels apart', () => {
    const input = picture(5, 4, 8);
    const weights = numbers(9 * 8, 3);
    const filter = { side: 3, inputs: 8, outputs: 1, values: weights };

    const result = convolveDepthwise(input, filter, { stride: 1, isPadded: true });

    for (const channel of [0, 7]) {
      const channelInput = tensor(5, 4, 1);
      channelInput.values.set(channelInput.values.map((_, i) => input.values[8 * i + channel]!));
      const ownFilter = { side: 3, inputs: 1, outputs: 1, values: new Float32Array(9) };
      ownFilter.values.set(ownFilter.values.map((_, i) => weights[8 * i + channel]!));
      const expected = Array.from({ length: 20 }, (_, i) =>
        sum(channelInput, ownFilter, Math.floor(i / 4) - 1, (i % 4) - 1, 0),
      );
      expect(expected.map((_, i) => result.values[8 * i + channel])).toEqual(expected);
    }
  });

  test('transposed spreads each pixel over its window', () => {
    const input = picture(2, 2, 3);
    const values = numbers(2 * 2 * 3, 4);

    const result = convolveTransposed(
      input,
      { side: 2, inputs: 1, outputs: 3, values },
      { stride: 2, isPadded: true },
    );

    expect([result.height, result.width, result.channels]).toEqual([4, 4, 1]);
    // Windows do not overlap here: row 3, column 2 is the lower left of the last pixel's.
    const products = [0, 1, 2].map((i) => input.values[9 + i]! * values[2 * 3 + i]!);
    expect(result.values[3 * 4 + 2]).toBe(products.reduce((total, product) => total + product));
  });
});

describe('a network', () => {
  test('with an operation that is not known does not open', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'network-'));
    const node = [
      { name: 'in', op: 'Placeholder' },
      { name: 'out', op: 'Softmax', input: ['in'] },
    ];
    const graph = { modelTopology: { node }, weightsManifest: [{ weights: [] }] };
    await writeFile(path.join(folder, 'odd.json'), JSON.stringify(graph));
    await writeFile(path.join(folder, 'odd.bin'), '');

    const opening = Network.open(pathToFileURL(`${folder}/`), 'odd', ['out']);

    await expect(opening).rejects.toThrow('the operation Softmax of out is not supported');
    await rm(folder, { recursive: true });
  });
});
