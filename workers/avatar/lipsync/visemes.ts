/** The lips' shapes that a bundle has pictures of. `pressed` is p b m, `teeth_on_lip` f v, `tongue` th l. */
export const LIP_SHAPES = [
  'neutral',
  'spread',
  'rounded',
  'pressed',
  'teeth_on_lip',
  'tongue',
] as const;
export type LipShape = (typeof LIP_SHAPES)[number];

/** A mouth at one moment: `opening` is the jaw's, 0 closed .. 1 as wide as the character can. */
export type Mouth = { lips: LipShape; opening: number };

export const RESTING_MOUTH: Mouth = { lips: 'neutral', opening: 0 };
