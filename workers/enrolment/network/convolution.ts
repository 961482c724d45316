/* Convolutions in the layouts of TensorFlow: pictures NHWC, filters height x width x in x out. */
import { readFileSync } from 'node:fs';
import { type Tensor, tensor } from './tensor.ts';

/** Filters are square. */
export type Filter = { side: number; inputs: number; outputs: number; values: Float32Array };

export type Windows = { stride: number; isPadded: boolean };

export function convolve(input: Tensor, filter: Filter, windows: Windows): Tensor {
  const { side, inputs } = filter;
  const { values, outputs } = withWholeVectors(filter);
  const rows = along(input.height, side, windows);
  const columns = along(input.width, side, windows);
  const result = { height: rows.count, width: columns.count, channels: outputs };
  const at = place(input.values, values, rows.count * columns.count * outputs);
  const { stride } = windows;
  const picture = [at.from, input.height, input.width, inputs];
  const moved = [stride, rows.padBefore, columns.padBefore];
  kernel.convolve(
    ...picture,
    at.filter,
    side,
    outputs,
    ...moved,
    at.into,
    rows.count,
    columns.count,
  );
  const computed = { ...result, values: at.result().slice() };
  return outputs === filter.outputs ? computed : firstChannels(computed, filter.outputs);
}

/** Each channel has a filter of its own. */
export function convolveDepthwise(input: Tensor, filter: Filter, windows: Windows): Tensor {
  const { channels } = input;
  const { side } = filter;
  if (channels % VECTOR !== 0) throw new Error(`${channels} channels are not supported`);
  const rows = along(input.height, side, windows);
  const columns = along(input.width, side, windows);
  const at = place(input.values, filter.values, rows.count * columns.count * channels);
  const picture = [at.from, input.height, input.width, channels];
  const moved = [windows.stride, rows.padBefore, columns.padBefore];
  kernel.convolveDepthwise(
    ...picture,
    at.filter,
    side,
    ...moved,
    at.into,
    rows.count,
    columns.count,
  );
  return { height: rows.count, width: columns.count, channels, values: at.result().slice() };
}

/** The transpose of a convolution. Its filter is height x width x out x in. */
export function convolveTransposed(input: Tensor, filter: Filter, { stride }: Windows): Tensor {
  const { side, inputs: outputs, outputs: inputs } = filter;
  const result = tensor(input.height * stride, input.width * stride, outputs);
  const { padBefore } = along(result.height, side, { stride, isPadded: true });
  for (let y = 0; y < input.height * side; y++) {
    const fy = y % side;
    const row = ((y - fy) / side) * stride - padBefore + fy;
    if (row < 0 || row >= result.height) continue;
    for (let x = 0; x < input.width * side; x++) {
      const fx = x % side;
      const column = ((x - fx) / side) * stride - padBefore + fx;
      if (column < 0 || column >= result.width) continue;
      const from = (((y - fy) / side) * input.width + (x - fx) / side) * inputs;
      const into = (row * result.width + column) * outputs;
      for (let out = 0; out < outputs; out++) {
        const weight = ((fy * side + fx) * outputs + out) * inputs;
        let sum = result.values[into + out]!;
        for (let i = 0; i < inputs; i++)
          sum += input.values[from + i]! * filter.values[weight + i]!;
        result.values[into + out] = sum;
      }
    }
  }
  return result;
}

/** Number of windows along a side, and the leading padding; TensorFlow's SAME pads more behind. */
export function along(
  side: number,
  window: number,
  { stride, isPadded }: Windows,
): { count: number; padBefore: number } {
  if (!isPadded) return { count: Math.floor((side - window) / stride) + 1, padBefore: 0 };
  const count = Math.ceil(side / stride);
  const padding = Math.max(0, (count - 1) * stride + window - side);
  return { count, padBefore: Math.floor(padding / 2) };
}

/** Numbers that the kernel computes at once. */
const VECTOR = 4;
const PAGE = 65_536;
const BYTES = 4;

const memory = new WebAssembly.Memory({ initial: 1 });
const kernel = new WebAssembly.Instance(
  new WebAssembly.Module(readFileSync(new URL('./kernel/kernel.wasm', import.meta.url))),
  { env: { memory } },
).exports as {
  convolve: (...numbers: number[]) => void;
  convolveDepthwise: (...numbers: number[]) => void;
};

/** Copies both operands to the start of the kernel's memory. The result follows them. */
function place(from: Float32Array, filter: Float32Array, results: number) {
  const missing = (from.length + filter.length + results) * BYTES - memory.buffer.byteLength;
  if (missing > 0) memory.grow(Math.ceil(missing / PAGE));
  const numbers = new Float32Array(memory.buffer);
  numbers.set(from);
  numbers.set(filter, from.length);
  const resultStart = from.length + filter.length;
  return {
    from: 0,
    filter: from.length * BYTES,
    into: resultStart * BYTES,
    result: () => numbers.subarray(resultStart, resultStart + results),
  };
}

/** Adds empty outputs, so that their number is a multiple of the kernel's. */
function withWholeVectors({ inputs, outputs, side, values }: Filter) {
  const paddedOutputs = VECTOR * Math.ceil(outputs / VECTOR);
  if (paddedOutputs === outputs) return { outputs, values };
  const padded = new Float32Array(side * side * inputs * paddedOutputs);
  for (let i = 0; i < side * side * inputs; i++)
    padded.set(values.subarray(i * outputs, (i + 1) * outputs), i * paddedOutputs);
  return { outputs: paddedOutputs, values: padded };
}

function firstChannels({ height, width, channels, values }: Tensor, count: number): Tensor {
  const result = tensor(height, width, count);
  for (let i = 0; i < height * width; i++)
    result.values.set(values.subarray(i * channels, i * channels + count), i * count);
  return result;
}
