import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { Canvas } from '@napi-rs/canvas';
import type { Point } from './face-points.ts';

/** A detected face. */
export type FoundFace = {
  points: Point[];
  /** Confidence that the landmarks lie on a face, 0..1. */
  score: number;
};

type Tensor = { dispose(): void };
type Human = {
  load(): Promise<void>;
  detect(input: Tensor): Promise<{ error: string | null; face: HumanFace[] }>;
  tf: { tensor3d(values: Uint8Array | Float32Array, shape: number[], type: string): Tensor };
};
type HumanFace = {
  mesh: Point[];
  boxScore: number;
  faceScore: number;
  size: [number, number];
  box: number[];
};

const require = createRequire(import.meta.url);
/**
 * The package's Node entry requires TensorFlow's native library. The WebAssembly build is not
 * exported.
 */
const human = path.dirname(require.resolve('@vladmandic/human'));
const wasm = path.dirname(require.resolve('@tensorflow/tfjs-backend-wasm'));

/** Placeholder host in the model addresses. It is never contacted. */
const MODELS = 'http://models.invalid/';

/** Number of landmarks, including both irises. */
const POINTS = 478;
const MODEL_SIDE = 192;

const off = { enabled: false };
const config = {
  backend: 'wasm',
  wasmPath: `${wasm}/`,
  modelBasePath: MODELS,
  cacheSensitivity: 0,
  async: false,
  debug: false,
  filter: off,
  gesture: off,
  body: off,
  hand: off,
  object: off,
  segmentation: off,
  face: {
    enabled: true,
    detector: { rotation: true, maxDetected: 6, minConfidence: 0.2, iouThreshold: 0.2 },
    mesh: { enabled: true },
    iris: { enabled: true },
    attention: off,
    emotion: off,
    description: off,
    antispoof: off,
    liveness: off,
  },
};

/** Finds faces and their landmarks. One per process: the library keeps its models forever. */
export class FaceFinder {
  readonly #human: Human;

  private constructor(made: Human) {
    this.#human = made;
  }

  static async open(): Promise<FaceFinder> {
    globalThis.fetch = readModel;
    const { Human } = require(path.join(human, 'human.node-wasm.js')) as {
      Human: new (config: object) => Human;
    };
    const made = new Human(config);
    await made.load();
    return new FaceFinder(made);
  }

  /** Sorted by confidence. */
  async find(picture: Canvas): Promise<FoundFace[]> {
    const { width, height } = picture;
    const { data } = picture.getContext('2d').getImageData(0, 0, width, height);
    const rgb = new Float32Array(3 * width * height);
    for (let i = 0; i < width * height; i++) {
      for (let channel = 0; channel < 3; channel++) rgb[3 * i + channel] = data[4 * i + channel]!;
    }
    const tensor = this.#human.tf.tensor3d(rgb, [height, width, 3], 'float32');
    const { error, face } = await this.#human.detect(tensor);
    tensor.dispose();
    if (error) throw new Error(`the face finder failed: ${error}`);
    return face
      .filter(({ mesh }) => mesh.length === POINTS)
      .map(({ mesh, faceScore, box }) => {
        // Depth is in the model's own pixels.
        const scale = box[2]! / MODEL_SIDE;
        return {
          points: mesh.map(([x, y, z]): Point => [x, y, z * scale]),
          score: faceScore,
        };
      })
      .sort((one, other) => other.score - one.score);
  }
}

/** Replaces `fetch`: reads models from the package and rejects everything else. */
const readModel: typeof fetch = async (input) => {
  const address = input instanceof Request ? input.url : String(input);
  if (!address.startsWith(MODELS)) throw new Error(`refused to fetch ${address}`);
  const file = path.basename(new URL(address).pathname);
  return new Response(await readFile(path.join(human, '../models', file)));
};
