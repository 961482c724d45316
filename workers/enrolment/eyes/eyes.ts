import type { Area, FaceDescription } from '../../bundle/pictures.ts';
import { raiseBrows } from './brows.ts';
import { EYES, FOREHEAD, LEFT_EDGE, RIGHT_EDGE } from '../face/face-points.ts';
import { turnEyes } from './gaze.ts';
import { areaBetween, type Head, SIZE } from '../face/head-crop.ts';
import { lidOf } from './lid.ts';
import { closeLids } from './lids.ts';
import { heightAt } from '../face/profile.ts';
import { colourAt, hueApart, meanOf, type Raster, raster } from '../picture/raster.ts';
import { around, UPPER_SKIN } from '../face/covered-face.ts';

type EyeState = FaceDescription['eye_states'][number];

const state = (name: string, { lids = 0, gaze = 0, brows = 0 }): EyeState => ({
  name,
  lids,
  gaze,
  brows,
  expression: 'neutral',
});

/** The first entry is the eyes at rest. */
const EYE_STATES: readonly EyeState[] = [
  state('rest', {}),
  state('half', { lids: 0.45 }),
  state('nearly', { lids: 0.75 }),
  state('closed', { lids: 1 }),
  state('look_left', { gaze: -1 }),
  state('look_half_left', { gaze: -0.5 }),
  state('look_half_right', { gaze: 0.5 }),
  state('look_right', { gaze: 1 }),
  state('brows_half', { brows: 0.67 }),
  state('brows_up', { brows: 1 }),
];

/**
 * At most this share of the skin around the eyes, including lashes and make-up, may have another
 * hue.
 */
const OTHER_HUE = 20;
const MOST_OTHERS = 0.25;
/** Where the hue is sampled: across from corner to corner, and millimetres below the lower lid. */
const AROUND_EYES = [-1.3, -1.15, -0.6, -0.3, 0, 0.3, 0.6, 1.15, 1.3].flatMap((u) => [
  { u, below: 1.6 },
  { u, below: 2.6 },
]);

/**
 * The eye states this head supports. A drawn face may have eyes too large for lids to cover
 * convincingly.
 */
export function eyeStatesOf(head: Head): readonly EyeState[] {
  const skin = meanOf(UPPER_SKIN.map((index) => around(head, head.points[index]!)));
  const otherHues = EYES.flatMap((eye) => {
    const lid = lidOf(head.points, eye);
    return AROUND_EYES.map(({ u, below }) => {
      const x = lid.left + ((u + 1) / 2) * (lid.right - lid.left);
      return colourAt(head.picture, x, heightAt(lid.lower, u) + below * head.mm);
    });
  }).filter((colour) => hueApart(colour, skin) > OTHER_HUE);
  const fit = otherHues.length < MOST_OTHERS * EYES.length * AROUND_EYES.length;
  return fit ? EYE_STATES : EYE_STATES.filter(({ lids, gaze }) => lids === 0 && gaze === 0);
}

/** Millimetres below the eyes that move in a blink. */
const BELOW = 12;

/** The union of all areas that eye states change. */
export function eyesArea({ points, mm }: Head): Area {
  const lowest = Math.max(...EYES.flatMap(({ lower }) => lower.map((index) => points[index]![1])));
  return areaBetween(
    points[LEFT_EDGE]![0],
    points[FOREHEAD]![1],
    points[RIGHT_EDGE]![0],
    lowest + BELOW * mm,
  );
}

export function drawEyes(head: Head, state: EyeState, area: Area): Raster {
  const picture = raster(area.width, area.height);
  for (let row = 0; row < area.height; row++) {
    const from = 4 * ((area.y + row) * SIZE + area.x);
    picture.values.set(
      head.picture.values.subarray(from, from + 4 * area.width),
      4 * row * area.width,
    );
  }
  if (state.brows !== 0) raiseBrows(head, state.brows, area, picture);
  if (state.gaze !== 0) turnEyes(head, state.gaze, area, picture);
  if (state.lids !== 0) closeLids(head, state.lids, area, picture);
  return picture;
}
