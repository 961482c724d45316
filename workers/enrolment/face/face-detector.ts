import { Network } from '../network/network.ts';
import { resize } from '../network/operations.ts';
import type { Tensor } from '../network/tensor.ts';
import type { Square } from './sample-square.ts';

/*
 * BlazeFace: proposes squares that may hold a face. It has two grids; each place of a grid has
 * several anchors, which all lie in its middle.
 */
const SIDE = 256;
const GRIDS = [
  { stride: 16, anchors: 2, scores: 'Identity', boxes: 'Identity_2' },
  { stride: 32, anchors: 6, scores: 'Identity_1', boxes: 'Identity_3' },
];
/** Values of an anchor: middle and size of the face, then six key points. */
const VALUES = 16;
const KEY_POINTS = 4;
const NOSE = 2;
const MOUTH = 3;

const LEAST_SCORE = 0.2;
const MOST_FACES = 6;
/** Two boxes that share more than this of their area are the same face. */
const MOST_SHARED = 0.2;
/** The whole head is larger than the detected face. */
const MARGIN = 1.4;
/** In radians. A head that is tilted less is recognised as well without turning. */
const UPRIGHT = 0.2;

type Box = { x: number; y: number; width: number; height: number; angle: number; score: number };

export class FaceDetector {
  readonly #network: Network;

  private constructor(network: Network) {
    this.#network = network;
  }

  static async open(models: URL): Promise<FaceDetector> {
    const outputs = GRIDS.flatMap(({ scores, boxes }) => [scores, boxes]);
    return new FaceDetector(await Network.open(models, 'blazeface', outputs));
  }

  /** Most likely first. `picture` is square. */
  find(picture: Tensor): Square[] {
    const small = resize(picture, SIDE, SIDE, false);
    // The network expects -1..1.
    small.values.forEach((value, i) => (small.values[i] = 2 * value - 1));
    const results = this.#network.run(small);
    const boxes = GRIDS.flatMap((grid, i) => boxesOf(grid, results[2 * i]!, results[2 * i + 1]!));
    const scale = picture.width / SIDE;
    return withoutRepeats(boxes).map(({ x, y, width, height, angle }) => ({
      middle: [x * scale, y * scale],
      side: MARGIN * scale * Math.max(width, height),
      angle: Math.abs(angle) > UPRIGHT ? angle : 0,
    }));
  }
}

function boxesOf(
  { stride, anchors }: (typeof GRIDS)[number],
  scores: Float32Array,
  values: Float32Array,
): Box[] {
  const across = SIDE / stride;
  const boxes: Box[] = [];
  scores.forEach((logit, i) => {
    const score = 1 / (1 + Math.exp(-logit));
    if (score <= LEAST_SCORE) return;
    const place = Math.floor(i / anchors);
    const [x, y] = [(place % across) + 0.5, Math.floor(place / across) + 0.5];
    const outputs = values.subarray(i * VALUES, (i + 1) * VALUES);
    const keyPoint = (index: number) => outputs.subarray(KEY_POINTS + 2 * index);
    const [nose, mouth] = [keyPoint(NOSE), keyPoint(MOUTH)];
    boxes.push({
      x: x * stride + outputs[0]!,
      y: y * stride + outputs[1]!,
      width: outputs[2]!,
      height: outputs[3]!,
      angle: Math.atan2(nose[0]! - mouth[0]!, mouth[1]! - nose[1]!),
      score,
    });
  });
  return boxes;
}

/** Keeps the most likely one of boxes that overlap. */
function withoutRepeats(boxes: Box[]): Box[] {
  const distinct: Box[] = [];
  for (const box of boxes.toSorted((a, b) => b.score - a.score)) {
    if (distinct.length === MOST_FACES) break;
    if (distinct.every((likelier) => sharedOf(box, likelier) < MOST_SHARED)) distinct.push(box);
  }
  return distinct;
}

/** Intersection over union. */
function sharedOf(a: Box, b: Box): number {
  const intersection = overlap(a.x, a.width, b.x, b.width) * overlap(a.y, a.height, b.y, b.height);
  return intersection / (a.width * a.height + b.width * b.height - intersection);
}

/** Common length of two spans, each given by its middle and its length. */
const overlap = (at: number, length: number, otherAt: number, otherLength: number): number =>
  Math.max(
    0,
    Math.min(at + length / 2, otherAt + otherLength / 2) -
      Math.max(at - length / 2, otherAt - otherLength / 2),
  );
