import { Network } from '../network/network.ts';
import type { Tensor } from '../network/tensor.ts';
import { between, type Point } from './face-points.ts';
import { fromSquare, type Square, sampled } from './sample-square.ts';

/*
 * MediaPipe's Face Mesh finds 468 landmarks in the square of one face; its Iris refines those
 * around each eye, and adds five for the iris.
 */
const FACE_SIDE = 192;
const EYE_SIDE = 64;
/** The square of an eye, as a multiple of its width. */
const EYE_MARGIN = 2.3;

type Eye = {
  /** Landmarks that the network for eyes finds too, in its order. */
  around: readonly number[];
  outer: number;
  inner: number;
  upper: number;
  lower: number;
  /** The network was trained with the other eye. */
  isMirrored: boolean;
};

/** In the order of their irises in the result. */
const EYES: readonly Eye[] = [
  {
    around: [
      263, 249, 390, 373, 374, 380, 381, 382, 362, 466, 388, 387, 386, 385, 384, 398, 359, 255, 339,
      254, 253, 252, 256, 341, 463, 467, 260, 259, 257, 258, 286, 414, 446, 261, 448, 449, 450, 451,
      452, 453, 464, 342, 445, 444, 443, 442, 441, 413, 265, 353, 276, 283, 282, 295, 372, 340, 346,
      347, 348, 349, 350, 357, 465, 383, 300, 293, 334, 296, 336, 285, 417,
    ],
    outer: 263,
    inner: 362,
    upper: 386,
    lower: 374,
    isMirrored: true,
  },
  {
    around: [
      33, 7, 163, 144, 145, 153, 154, 155, 133, 246, 161, 160, 159, 158, 157, 173, 130, 25, 110, 24,
      23, 22, 26, 112, 243, 247, 30, 29, 27, 28, 56, 190, 226, 31, 228, 229, 230, 231, 232, 233,
      244, 113, 225, 224, 223, 222, 221, 189, 35, 124, 46, 53, 52, 65, 143, 111, 117, 118, 119, 120,
      121, 128, 245, 156, 70, 63, 105, 66, 107, 55, 193,
    ],
    outer: 33,
    inner: 133,
    upper: 159,
    lower: 145,
    isMirrored: false,
  },
];

export class FaceMesh {
  readonly #face: Network;
  readonly #eye: Network;

  private constructor(face: Network, eye: Network) {
    this.#face = face;
    this.#eye = eye;
  }

  static async open(models: URL): Promise<FaceMesh> {
    const [face, eye] = await Promise.all([
      Network.open(models, 'facemesh', ['Identity_1', 'Identity_2']),
      Network.open(models, 'iris', ['Identity']),
    ]);
    return new FaceMesh(face, eye);
  }

  /** 478 landmarks in pixels of the picture, and the confidence that they lie on a face. */
  find(picture: Tensor, square: Square): { points: Point[]; score: number } {
    const face = sampled(picture, square, FACE_SIDE);
    const [score, mesh] = this.#face.run(face);
    const points = pointsOf(mesh!);
    const irises = EYES.flatMap((eye) => this.#refine(face, points, eye));
    return {
      points: [...points, ...irises].map((point) => fromSquare(point, square, FACE_SIDE)),
      score: score![0]!,
    };
  }

  /** Returns the iris. Its own depth is unreliable. */
  #refine(face: Tensor, points: Point[], eye: Eye): Point[] {
    const [outer, inner] = [points[eye.outer]!, points[eye.inner]!];
    const [x, y] = between(outer, inner);
    const width = Math.max(Math.abs(outer[0] - inner[0]), Math.abs(outer[1] - inner[1]));
    const square: Square = { middle: [x, y], side: EYE_MARGIN * width, angle: 0 };
    const picture = sampled(face, square, EYE_SIDE);
    const [output] = this.#eye.run(eye.isMirrored ? mirrored(picture) : picture);
    const eyePoints = pointsOf(output!).map(([across, down, z]): Point => {
      const [pictureX, pictureY] = fromSquare(
        [eye.isMirrored ? EYE_SIDE - across : across, down, 0],
        square,
        EYE_SIDE,
      );
      return [pictureX, pictureY, z];
    });
    eye.around.forEach((index, i) => {
      const [pictureX, pictureY, z] = eyePoints[i]!;
      points[index] = [pictureX, pictureY, (z + points[index]![2]) / 2];
    });
    const [, , depth] = between(points[eye.upper]!, points[eye.lower]!);
    return eyePoints
      .slice(eye.around.length)
      .map(([pictureX, pictureY]): Point => [pictureX, pictureY, depth]);
  }
}

const pointsOf = (values: Float32Array): Point[] =>
  Array.from({ length: values.length / 3 }, (_, i) => [
    values[3 * i]!,
    values[3 * i + 1]!,
    values[3 * i + 2]!,
  ]);

function mirrored(picture: Tensor): Tensor {
  const { width, channels, values } = picture;
  const result = { ...picture, values: values.slice() };
  for (let place = 0; place < values.length / channels; place++) {
    const mirrorPlace = place - 2 * (place % width) + width - 1;
    for (let i = 0; i < channels; i++)
      result.values[place * channels + i] = values[mirrorPlace * channels + i]!;
  }
  return result;
}
