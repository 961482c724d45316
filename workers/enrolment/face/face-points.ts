/*
 * Indexes of the 478 face landmarks. Left and right are the picture's. Rows go from left to right,
 * and both rows of lips or lids start and end in the same corners.
 */

/** x and y in pixels; z in the same unit, away from the camera. */
export type Point = [x: number, y: number, z: number];

export const LIPS = {
  upperOuter: [61, 185, 40, 39, 37, 0, 267, 269, 270, 409, 291],
  upperInner: [78, 191, 80, 81, 82, 13, 312, 311, 310, 415, 308],
  lowerInner: [78, 95, 88, 178, 87, 14, 317, 402, 318, 324, 308],
  lowerOuter: [61, 146, 91, 181, 84, 17, 314, 405, 321, 375, 291],
} as const;

export const EYES = [
  {
    upper: [33, 246, 161, 160, 159, 158, 157, 173, 133],
    lower: [33, 7, 163, 144, 145, 153, 154, 155, 133],
    brow: [70, 63, 105, 66, 107],
    underBrow: [46, 53, 52, 65, 55],
    iris: 473,
  },
  {
    upper: [362, 398, 384, 385, 386, 387, 388, 466, 263],
    lower: [362, 382, 381, 380, 374, 373, 390, 249, 263],
    brow: [336, 296, 334, 293, 300],
    underBrow: [285, 295, 282, 283, 276],
    iris: 468,
  },
] as const;

/** From ear to ear along the chin. */
export const JAW = [
  234, 93, 132, 58, 172, 136, 150, 149, 176, 148, 152, 377, 400, 378, 379, 365, 397, 288, 361, 323,
  454,
] as const;
/** The face outline, starting at the middle of the forehead. */
export const OVAL = [
  10, 338, 297, 332, 284, 251, 389, 356, 454, 323, 361, 288, 397, 365, 379, 378, 400, 377, 152, 148,
  176, 149, 150, 136, 172, 58, 132, 93, 234, 127, 162, 21, 54, 103, 67, 109,
] as const;
/** Where the nose meets the lip, from wing to wing. */
export const UNDER_NOSE = [129, 98, 97, 2, 326, 327, 358] as const;
export const FOREHEAD = 10;
export const CHIN = 152;
export const NOSE_TIP = 1;
export const LEFT_EDGE = 234;
export const RIGHT_EDGE = 454;

export const between = (a: Point, b: Point): Point => [
  (a[0] + b[0]) / 2,
  (a[1] + b[1]) / 2,
  (a[2] + b[2]) / 2,
];

export const apart = (a: Point, b: Point) => Math.hypot(a[0] - b[0], a[1] - b[1]);

/** Centres of both eyes and of the mouth, used to align a face. */
export function eyesAndMouth(points: Point[]): { leftEye: Point; rightEye: Point; mouth: Point } {
  const middle = ({ upper }: (typeof EYES)[number]) =>
    between(points[upper[0]]!, points[upper[8]]!);
  const mouth = between(points[LIPS.upperOuter[0]]!, points[LIPS.upperOuter[10]]!);
  return { leftEye: middle(EYES[0]), rightEye: middle(EYES[1]), mouth };
}
