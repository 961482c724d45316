import type { LipShape } from '../../bundle/visemes.ts';

/** Muscle settings relative to a shut mouth at rest. Lengths are millimetres of the face. */
export type MouthForm = {
  name: string;
  lips: LipShape;
  opening: number;
  /** Strength of the lip shape: 0 is the mouth at rest, 1 the full shape. */
  strength: number;
  /** How far the lower lip moves down. The jaw follows. */
  drop: number;
  /** How far the upper lip moves up. */
  raise: number;
  /** Relative to the mouth's width at rest. */
  width: number;
  /** Relative to each lip's height at rest. */
  upper: number;
  lower: number;
  /** Exponent of the opening's outline: the smaller, the more like a box. */
  arch: number;
  /** 1 draws the corners in to a kiss. */
  pucker: number;
  /** 1 shows the tip of the tongue behind the upper teeth. */
  tongue: number;
  /** 1 puts the lower lip against the upper teeth. */
  bite: number;
};

/** The fields of a form that are lengths. */
type Shape = Pick<MouthForm, 'drop' | 'raise' | 'width' | 'upper' | 'lower' | 'arch' | 'pucker'>;

/** Widest opening in clearly articulated speech. */
const WIDEST = 16;

const mix = (from: number, to: number, share: number) => from + (to - from) * share;

const REST: Omit<MouthForm, 'name' | 'lips' | 'opening'> = {
  strength: 1,
  drop: 0,
  raise: 0,
  width: 1,
  upper: 1,
  lower: 1,
  arch: 0.7,
  pucker: 0,
  tongue: 0,
  bite: 0,
};

const neutral = (opening: number): MouthForm => ({
  ...REST,
  name: opening === 0 ? 'rest' : `open_${Math.round(6 * opening)}`,
  lips: 'neutral',
  opening,
  drop: WIDEST * opening,
  raise: 2.4 * Math.sqrt(opening),
  width: 1 - 0.07 * opening,
  upper: 1 - 0.08 * opening,
  lower: 1 - 0.06 * opening,
  arch: 0.72 - 0.16 * opening,
});

const FULL_SPREAD = (opening: number): Shape => ({
  drop: 0.9 + WIDEST * 0.92 * opening,
  raise: mix(2.0, 3.4, opening),
  width: mix(1.09, 1.03, opening),
  upper: 0.9,
  lower: 0.9,
  arch: 0.55,
  pucker: 0,
});

const FULL_ROUND = (opening: number): Shape => ({
  drop: 0.7 + WIDEST * 0.8 * opening,
  raise: 0.9 + 3 * opening,
  width: mix(0.64, 0.72, opening),
  upper: 1.35,
  lower: 1.15,
  arch: 0.52,
  pucker: mix(1, 0.8, opening),
});

/** Lips protrude from nearly shut teeth. */
const FULL_FLARE = (opening: number): Shape => ({
  drop: 1.6 + WIDEST * 0.7 * opening,
  raise: 2 + 1.5 * opening,
  width: mix(0.8, 0.84, opening),
  upper: 1.2,
  lower: 1.14,
  arch: 0.5,
  pucker: 0.35,
});

/** One lip shape at several openings. `strength` is its distance from the neutral shape at each. */
function row(
  name: string,
  lips: LipShape,
  strength: number,
  openings: number[],
  full: (opening: number) => Shape,
): MouthForm[] {
  return openings.map((opening, i) => {
    const [from, to] = [neutral(opening), full(opening)];
    const between = (part: keyof Shape) => mix(from[part], to[part], strength);
    return {
      ...from,
      name: `${name}_${i + 1}`,
      lips,
      strength,
      drop: between('drop'),
      raise: between('raise'),
      width: between('width'),
      upper: between('upper'),
      lower: between('lower'),
      arch: between('arch'),
      pucker: between('pucker'),
    };
  });
}

/** The first entry is the mouth at rest. */
export const MOUTH_FORMS: readonly MouthForm[] = [
  ...[0, 1, 2, 3, 4, 5, 6].map((i) => neutral(i / 6)),
  ...row('spread', 'spread', 1, [0.03, 0.14, 0.26, 0.39, 0.52, 0.66], FULL_SPREAD),
  ...row('half_spread', 'spread', 0.5, [0.08, 0.24, 0.4, 0.6], FULL_SPREAD),
  ...row('round', 'rounded', 1, [0.04, 0.16, 0.29, 0.43, 0.57, 0.7], FULL_ROUND),
  ...row('half_round', 'rounded', 0.5, [0.08, 0.24, 0.4, 0.6], FULL_ROUND),
  ...row('flare', 'flared', 1, [0.06, 0.2, 0.38], FULL_FLARE),
  {
    ...REST,
    name: 'pressed_1',
    lips: 'pressed',
    opening: 0,
    upper: 0.66,
    lower: 0.68,
    width: 1.02,
  },
  {
    ...REST,
    name: 'pressed_2',
    lips: 'pressed',
    opening: 0.2,
    upper: 0.86,
    lower: 0.88,
    drop: 1.2,
  },
  {
    ...REST,
    name: 'teeth_on_lip_1',
    lips: 'teeth_on_lip',
    opening: 0.06,
    drop: 1.2,
    raise: 2.8,
    upper: 0.9,
    lower: 0.72,
    arch: 0.55,
    bite: 1,
  },
  {
    ...REST,
    name: 'teeth_on_lip_2',
    lips: 'teeth_on_lip',
    opening: 0.3,
    drop: 2.6,
    raise: 3,
    upper: 0.9,
    lower: 0.78,
    arch: 0.55,
    bite: 1,
  },
  { ...neutral(0.22), name: 'tongue_1', lips: 'tongue', tongue: 1, raise: 1.8, width: 1.02 },
  { ...neutral(0.45), name: 'tongue_2', lips: 'tongue', tongue: 1, raise: 2.2, width: 1 },
];
