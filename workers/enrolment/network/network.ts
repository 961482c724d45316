import { readFile } from 'node:fs/promises';
import {
  convolve,
  convolveDepthwise,
  convolveTransposed,
  type Filter,
  type Windows,
} from './convolution.ts';
import {
  add,
  averagePool,
  maxPool,
  multiply,
  padChannels,
  prelu,
  relu,
  relu6,
  resize,
  sigmoid,
} from './operations.ts';
import { type Tensor, tensor } from './tensor.ts';

/*
 * Runs the graphs of small convolutional networks, in the format of TensorFlow.js: the topology as
 * JSON, the weights beside it. It knows the operations of the networks in this folder's neighbours,
 * for one picture at a time; any other one is an error when the graph is opened.
 */
type Attribute = { s?: string; b?: boolean; list?: { i?: string[]; s?: string[] } };
type GraphNode = {
  name: string;
  op: string;
  input?: string[];
  attr?: Record<string, Attribute>;
};
type WeightSpec = {
  name: string;
  shape: number[];
  dtype: string;
  quantization?: { dtype: string };
};
type Weight = { shape: number[]; values: Float32Array };
type Step = { node: GraphNode; run: (inputs: Tensor[]) => Tensor; operands: string[] };

export class Network {
  readonly #steps: Step[];
  readonly #input: string;
  readonly #outputs: string[];

  private constructor(input: string, outputs: string[], steps: Step[]) {
    this.#input = input;
    this.#outputs = outputs;
    this.#steps = steps;
  }

  /** `folder` holds `NAME.json` and `NAME.bin`. Only what the outputs need is computed. */
  static async open(folder: URL, name: string, outputs: string[]): Promise<Network> {
    const { modelTopology, weightsManifest } = JSON.parse(
      await readFile(new URL(`${name}.json`, folder), 'utf8'),
    ) as {
      modelTopology: { node: GraphNode[] };
      weightsManifest: { weights: WeightSpec[] }[];
    };
    const bytes = await readFile(new URL(`${name}.bin`, folder));
    const weights = readWeights(weightsManifest[0]!.weights, bytes);
    const nodes = new Map(modelTopology.node.map((node) => [node.name, node]));
    const input = modelTopology.node.find(({ op }) => op === 'Placeholder')!.name;
    return new Network(input, outputs, stepsTo(outputs, nodes, weights));
  }

  /** The values of each output, in the order in which they were asked for. */
  run(picture: Tensor): Float32Array[] {
    const results = new Map([[this.#input, picture]]);
    const isLastUse = this.#lastUses();
    this.#steps.forEach(({ node, run, operands }, at) => {
      results.set(node.name, run(operands.map((name) => results.get(name)!)));
      for (const name of operands) if (isLastUse.get(name) === at) results.delete(name);
    });
    return this.#outputs.map((name) => results.get(name)!.values);
  }

  /** Results are freed after the last step that reads them. */
  #lastUses(): Map<string, number> {
    const lastUses = new Map<string, number>();
    this.#steps.forEach(({ operands }, at) => {
      for (const name of operands) lastUses.set(name, at);
    });
    for (const name of this.#outputs) lastUses.delete(name);
    return lastUses;
  }
}

function readWeights(specs: WeightSpec[], bytes: Buffer): Map<string, Weight> {
  const weights = new Map<string, Weight>();
  let at = 0;
  for (const { name, shape, dtype, quantization } of specs) {
    const count = shape.reduce((product, side) => product * side, 1);
    const stored = quantization?.dtype ?? dtype;
    const size = stored === 'float16' ? 2 : 4;
    const alignedBytes = new Uint8Array(bytes.subarray(at, at + count * size)).buffer;
    weights.set(name, { shape, values: numbersOf(stored, alignedBytes) });
    at += count * size;
  }
  return weights;
}

function numbersOf(dtype: string, bytes: ArrayBuffer): Float32Array {
  switch (dtype) {
    case 'float32':
      return new Float32Array(bytes);
    case 'float16':
      return Float32Array.from(new Float16Array(bytes));
    case 'int32':
      return Float32Array.from(new Int32Array(bytes));
    default:
      throw new Error(`weights of type ${dtype} are not supported`);
  }
}

/** In an order in which each step has its operands. */
function stepsTo(
  outputs: string[],
  nodes: Map<string, GraphNode>,
  weights: Map<string, Weight>,
): Step[] {
  const steps: Step[] = [];
  const visited = new Set<string>();
  const visit = (name: string): void => {
    const node = nodes.get(name);
    if (!node) throw new Error(`the graph has no node ${name}`);
    if (visited.has(name) || node.op === 'Placeholder' || node.op === 'Const') return;
    visited.add(name);
    const inputs = node.input ?? [];
    for (const input of inputs) visit(input);
    const operands = inputs.filter((input) => !weights.has(input));
    const constants = inputs.filter((input) => weights.has(input)).map((key) => weights.get(key)!);
    steps.push({ node, operands, run: operationOf(node, constants) });
  };
  outputs.forEach(visit);
  return steps;
}

type Run = (inputs: [Tensor, ...Tensor[]]) => Tensor;

function operationOf(node: GraphNode, constants: Weight[]): Step['run'] {
  const run = operations[node.op]?.(node, constants);
  if (!run) throw new Error(`the operation ${node.op} of ${node.name} is not supported`);
  return (inputs) => run(inputs as [Tensor, ...Tensor[]]);
}

/** The constants of a step stand behind its other operands, except in transposed convolutions. */
const operations: Record<string, (node: GraphNode, constants: Weight[]) => Run> = {
  Identity:
    () =>
    ([input]) =>
      input,
  Reshape:
    () =>
    ([{ values }]) => ({ height: 1, width: 1, channels: values.length, values }),
  Conv2D:
    (node, [filter]) =>
    ([input]) =>
      convolve(input, filterOf(filter!), windowsOf(node)),
  _FusedConv2D: fusedConvolution,
  DepthwiseConv2dNative:
    (node, [filter]) =>
    ([input]) =>
      convolveDepthwise(input, filterOf(filter!), windowsOf(node)),
  Conv2DBackpropInput:
    (node, constants) =>
    ([input]) =>
      convolveTransposed(input, filterOf(constants.at(-1)!), windowsOf(node)),
  Add: sum,
  AddV2: sum,
  AddN: sum,
  Mul:
    (_node, constants) =>
    ([one, other]) =>
      multiply(one, other ?? channelsOf(constants[0]!)),
  Relu:
    () =>
    ([input]) =>
      relu(input),
  Relu6:
    () =>
    ([input]) =>
      relu6(input),
  Prelu:
    (_node, [slopes]) =>
    ([input]) =>
      prelu(input, channelsOf(slopes!)),
  Sigmoid:
    () =>
    ([input]) =>
      sigmoid(input),
  MaxPool:
    (node) =>
    ([input]) =>
      maxPool(input, sideOf(node, 'ksize'), windowsOf(node)),
  AvgPool:
    (node) =>
    ([input]) =>
      averagePool(input, sideOf(node, 'ksize'), windowsOf(node)),
  Pad: paddedChannels,
  ConcatV2: () => (inputs) => joined(inputs),
  ResizeBilinear:
    (node, [size]) =>
    ([input]) => {
      const [height, width] = size!.values;
      return resize(input, height!, width!, node.attr?.['half_pixel_centers']?.b === true);
    },
};

function paddedChannels({ name }: GraphNode, [paddings]: Weight[]): Run {
  const otherPaddings = paddings!.values.subarray(0, -1);
  if (otherPaddings.some((count) => count !== 0))
    throw new Error(`${name} pads more than channels`);
  const channels = paddings!.values.at(-1)!;
  return ([input]) => padChannels(input, channels);
}

function sum(_node: GraphNode, constants: Weight[]): Run {
  return ([one, other]) => add(one, other ?? channelsOf(constants[0]!));
}

function fusedConvolution(node: GraphNode, constants: Weight[]): Run {
  const [filter, bias, slopes] = constants;
  const fused = (node.attr?.['fused_ops']?.list?.s ?? []).map((text) => atob(text)).join();
  if (!['BiasAdd', 'BiasAdd,Relu', 'BiasAdd,Prelu'].includes(fused))
    throw new Error(`${node.name} fuses ${fused}, which is not supported`);
  return ([input]) => {
    const biased = add(convolve(input, filterOf(filter!), windowsOf(node)), channelsOf(bias!));
    if (fused.includes('Prelu')) return prelu(biased, channelsOf(slopes!));
    return fused.includes('Relu') ? relu(biased) : biased;
  };
}

function filterOf({ shape, values }: Weight): Filter {
  const [side, width, inputs, outputs] = shape;
  if (side !== width) throw new Error(`a filter of ${side} x ${width} is not supported`);
  return { side: side!, inputs: inputs!, outputs: outputs!, values };
}

const channelsOf = ({ values }: Weight): Tensor => ({
  height: 1,
  width: 1,
  channels: values.length,
  values,
});

const windowsOf = (node: GraphNode): Windows => ({
  stride: sideOf(node, 'strides'),
  isPadded: atob(node.attr?.['padding']?.s ?? '') === 'SAME',
});

/** Windows are square. */
const sideOf = (node: GraphNode, name: string): number => Number(node.attr?.[name]?.list?.i?.[1]);

function joined(parts: Tensor[]): Tensor {
  const result = tensor(
    1,
    1,
    parts.reduce((count, { values }) => count + values.length, 0),
  );
  let at = 0;
  for (const { values } of parts) {
    result.values.set(values, at);
    at += values.length;
  }
  return result;
}
