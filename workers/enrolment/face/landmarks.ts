import { tensor } from '../network/tensor.ts';
import { FaceDetector } from './face-detector.ts';
import { FaceMesh } from './face-mesh.ts';
import type { Raster } from '../picture/raster.ts';
import type { Point } from './face-points.ts';

/** A detected face. */
export type FoundFace = {
  points: Point[];
  /** Confidence that the landmarks lie on a face, 0..1. */
  score: number;
};

/** models/NOTICE says where they are from. */
const MODELS = new URL('./models/', import.meta.url);

/** Finds faces and their landmarks. */
export class FaceFinder {
  readonly #detector: FaceDetector;
  readonly #mesh: FaceMesh;

  private constructor(detector: FaceDetector, mesh: FaceMesh) {
    this.#detector = detector;
    this.#mesh = mesh;
  }

  static async open(): Promise<FaceFinder> {
    const [detector, mesh] = await Promise.all([FaceDetector.open(MODELS), FaceMesh.open(MODELS)]);
    return new FaceFinder(detector, mesh);
  }

  /** In a square picture. Sorted by confidence. */
  find({ width, height, values }: Raster): FoundFace[] {
    const colours = tensor(height, width, 3);
    for (let i = 0; i < width * height; i++) {
      for (let channel = 0; channel < 3; channel++)
        colours.values[3 * i + channel] = values[4 * i + channel]! / 255;
    }
    return this.#detector
      .find(colours)
      .map((square) => this.#mesh.find(colours, square))
      .sort((a, b) => b.score - a.score);
  }
}
