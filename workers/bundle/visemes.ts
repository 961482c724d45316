/**
 * Lip shapes that a bundle may show. `flared`: sh ch r; `pressed`: p b m; `teeth_on_lip`: f v;
 * `tongue`: th l.
 */
export const LIP_SHAPES = [
  'neutral',
  'spread',
  'rounded',
  'flared',
  'pressed',
  'teeth_on_lip',
  'tongue',
] as const;
export type LipShape = (typeof LIP_SHAPES)[number];

/** A mouth at one time. */
export type Mouth = {
  lips: LipShape;
  /** How fully the lips have their shape, 0..1. */
  strength: number;
  /** Opening of the jaw: 0 closed .. 1 as wide as the character can. */
  opening: number;
};

export const RESTING_MOUTH: Mouth = { lips: 'neutral', strength: 1, opening: 0 };
