/* The faces on the tiles of a contact sheet. */
import type { SheetTile } from '#protocol/pictures/sheets.ts';
import type { Expression } from '../../bundle/expressions.ts';
import { RESTING_MOUTH, type LipShape, type Mouth } from '../../bundle/visemes.ts';

type Eyes = { lids: number; gaze: number; brows: number };

export type TileLook = { expression: Expression; mouth: Mouth; eyes: Eyes };

const RESTING_EYES: Eyes = { lids: 0, gaze: 0, brows: 0 };

const atRest: TileLook = { expression: 'neutral', mouth: RESTING_MOUTH, eyes: RESTING_EYES };
const openMouth = (opening: number): TileLook => ({
  ...atRest,
  mouth: { ...RESTING_MOUTH, opening },
});
/** As wide as the shape is in speech. */
const shaped = (lips: LipShape, opening = 0.4): TileLook => ({
  ...atRest,
  mouth: { lips, strength: 1, opening },
});
const looking = (eyes: Partial<Eyes>): TileLook => ({
  ...atRest,
  eyes: { ...RESTING_EYES, ...eyes },
});
const feeling = (expression: Expression): TileLook => ({ ...atRest, expression });

export const TILE_LOOKS: Record<SheetTile, TileLook> = {
  rest: atRest,
  open: openMouth(0.5),
  wide_open: openMouth(1),
  spread: shaped('spread'),
  rounded: shaped('rounded'),
  flared: shaped('flared'),
  pressed: shaped('pressed', 0),
  teeth_on_lip: shaped('teeth_on_lip', 0.2),
  tongue: shaped('tongue'),
  blink: looking({ lids: 1 }),
  look_left: looking({ gaze: -1 }),
  look_right: looking({ gaze: 1 }),
  brows: looking({ brows: 1 }),
  warm: feeling('warm'),
  concerned: feeling('concerned'),
  amused: feeling('amused'),
};
