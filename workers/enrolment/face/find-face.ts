import {
  apart,
  CHIN,
  FOREHEAD,
  eyesAndMouth,
  LEFT_EDGE,
  NOSE_TIP,
  OVAL,
  type Point,
  RIGHT_EDGE,
} from './face-points.ts';
import type { FaceFinder, FoundFace } from './landmarks.ts';
import { type Photo, placed } from '../picture/photo.ts';
import { PictureError } from '../picture-error.ts';

/** In picture pixels. The mesh ends before the ears. */
const SMALLEST_FACE = 80;
const WIDTH_OF_HEIGHT = 0.78;
/** A face smaller than this share of the largest is in the background. */
const BACKGROUND_FACE = 0.45;
/** Degrees by which a head may be turned and still count as facing the camera. */
const MOST_YAW = 20;
const MOST_PITCH = 24;
const MOST_ROLL = 40;
/** Two faces cheek to cheek have their noses one face width apart. */
const SAME_PLACE = 0.85;
const SURE = 0.6;
const LIKELY = 0.3;
/** Upright faces stay below 0.008, faces upside down above 0.016. */
const MOST_DISAGREEMENT = 0.012;
/** How far landmarks may lie outside the picture, as a share of its width. */
const OUTSIDE = 0.03;

/** Input sizes of the finder: the whole picture, then the face alone. */
const WHOLE_SIDE = 768;
const CLOSE_SIDE = 1024;
const WHOLE = { width: WHOLE_SIDE, height: WHOLE_SIDE };
const CLOSE = { width: CLOSE_SIDE, height: CLOSE_SIDE };
/** The face's share of the second input. */
const CLOSE_SHARE = 0.5;

/**
 * Landmarks of the one face in the picture. Throws a PictureError if there is none that can be
 * used. `mustAgree` refuses a face of which the finder has two ideas, as it has of many upside
 * down.
 */
export function findFace(picture: Photo, finder: FaceFinder, mustAgree = false): Point[] {
  const faces = findInWhole(picture, finder).filter(({ score }) => score >= LIKELY);
  const sure = faces.filter(({ score }) => score >= SURE);
  const [face, ...otherFaces] = (sure.length > 0 ? sure : faces).sort(
    (a, b) => widthOf(b) - widthOf(a),
  );
  if (!face) throw new PictureError('no_face');
  if (otherFaces.some((otherFace) => isBeside(face, otherFace)))
    throw new PictureError('two_faces');

  const closer = findAgain(picture, face.points, finder);
  if (!closer) throw new PictureError('covered');
  const { yaw, pitch, roll } = turnOf(closer.points);
  const isTurned =
    Math.abs(yaw) > MOST_YAW || Math.abs(pitch) > MOST_PITCH || Math.abs(roll) > MOST_ROLL;
  if (isTurned) throw new PictureError('turned_away');
  if (closer.score < SURE || isCut(closer.points, picture)) throw new PictureError('covered');
  if (mustAgree && disagreement(face, closer) > MOST_DISAGREEMENT) {
    throw new PictureError('covered');
  }
  if (widthOf(closer) < SMALLEST_FACE) throw new PictureError('face_too_small');
  return closer.points;
}

/** Mean distance between the landmarks of two finds, as a share of the face's width. */
const disagreement = (face: FoundFace, closer: FoundFace): number =>
  face.points.reduce((sum, point, index) => sum + apart(point, closer.points[index]!), 0) /
  (face.points.length * widthOf(closer));

/** Whether the finder is sure of a face whose eyes lie side by side above its mouth. */
export const isUpright = ({ score, points }: FoundFace): boolean =>
  score >= SURE && Math.abs(turnOf(points).roll) <= MOST_ROLL;

/** The finder may report a face twice; then one detection lies within the other. */
function isBeside(face: FoundFace, otherFace: FoundFace): boolean {
  const away = apart(face.points[NOSE_TIP]!, otherFace.points[NOSE_TIP]!);
  const isClear = widthOf(otherFace) > BACKGROUND_FACE * widthOf(face);
  return isClear && away > SAME_PLACE * widthOf(face);
}

/** For a face half hidden or in profile only the height is reliable. */
const widthOf = ({ points }: FoundFace) =>
  Math.max(
    apart(points[LEFT_EDGE]!, points[RIGHT_EDGE]!),
    WIDTH_OF_HEIGHT * apart(points[FOREHEAD]!, points[CHIN]!),
  );

/** Pads the picture to a square, because the finder would squeeze any other shape. */
function findInWhole(picture: Photo, finder: FaceFinder): FoundFace[] {
  const scale = WHOLE_SIDE / Math.max(picture.width, picture.height);
  const square = placed(picture, WHOLE, { from: [0, 0], to: [0, 0], scale });
  return finder.find(square).map((face) => ({
    ...face,
    points: face.points.map((point) => times(point, 1 / scale)),
  }));
}

const times = ([x, y, z]: Point, by: number): Point => [x * by, y * by, z * by];

/** The face alone and upright, at the size that the networks see best. */
function findAgain(picture: Photo, points: Point[], finder: FaceFinder): FoundFace | undefined {
  const { leftEye, rightEye } = eyesAndMouth(points);
  const roll = Math.atan2(rightEye[1] - leftEye[1], rightEye[0] - leftEye[0]);
  const middle = points[NOSE_TIP]!;
  const scale = (CLOSE_SHARE * CLOSE_SIDE) / apart(points[LEFT_EDGE]!, points[RIGHT_EDGE]!);
  const to = [CLOSE_SIDE / 2, CLOSE_SIDE / 2] as const;
  const close = placed(picture, CLOSE, { from: middle, to, scale, angle: roll });

  const [face] = finder.find(close).sort((a, b) => fromMiddle(a) - fromMiddle(b));
  if (!face) return undefined;
  const [cos, sin] = [Math.cos(roll), Math.sin(roll)];
  const back = ([x, y, z]: Point): Point => {
    const [across, down] = [(x - CLOSE_SIDE / 2) / scale, (y - CLOSE_SIDE / 2) / scale];
    return [
      middle[0] + cos * across - sin * down,
      middle[1] + sin * across + cos * down,
      z / scale,
    ];
  };
  return { ...face, points: face.points.map(back) };
}

const fromMiddle = ({ points }: FoundFace) =>
  apart(points[NOSE_TIP]!, [CLOSE_SIDE / 2, CLOSE_SIDE / 2, 0]);

const DEGREES = 180 / Math.PI;

/** Head pose in degrees. */
function turnOf(points: Point[]): { yaw: number; pitch: number; roll: number } {
  const { leftEye, rightEye, mouth } = eyesAndMouth(points);
  const across: Point = [
    rightEye[0] - leftEye[0],
    rightEye[1] - leftEye[1],
    rightEye[2] - leftEye[2],
  ];
  const eyes: Point = [
    (leftEye[0] + rightEye[0]) / 2,
    (leftEye[1] + rightEye[1]) / 2,
    (leftEye[2] + rightEye[2]) / 2,
  ];
  const down: Point = [mouth[0] - eyes[0], mouth[1] - eyes[1], mouth[2] - eyes[2]];
  return {
    yaw: Math.atan2(across[2], Math.hypot(across[0], across[1])) * DEGREES,
    pitch: Math.atan2(down[2], Math.hypot(down[0], down[1])) * DEGREES,
    roll: Math.atan2(across[1], across[0]) * DEGREES,
  };
}

function isCut(points: Point[], { width, height }: Photo): boolean {
  const margin = OUTSIDE * apart(points[LEFT_EDGE]!, points[RIGHT_EDGE]!);
  return OVAL.some((index) => {
    const [x, y] = points[index]!;
    return x < -margin || y < -margin || x > width + margin || y > height + margin;
  });
}
