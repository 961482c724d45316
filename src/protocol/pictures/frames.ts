import Type, { type Static } from 'typebox';
import { OPACITY_TRACK } from '../room-terms.ts';

/** Ability of workers that draw frames of any size, framing and background. */
export const DRAWS_FRAMES = 'frames';

/** Width and height are even; the longer side has at most `mostRatio` times the shorter one. */
export const FRAME_LIMITS = {
  leastSide: 256,
  mostSide: 1920,
  mostRatio: 4,
  leastFps: 15,
  mostFps: 30,
} as const;

/** The default frame, and the only one that workers without `DRAWS_FRAMES` draw. */
export const PLAIN_FRAME = { width: 512, height: 512, fps: 25 } as const;

export const FRAMINGS = ['close', 'bust', 'wide'] as const;

export const FramingPlace = Type.Object({
  /** Centre of the head, as shares of the frame's width and height. */
  x: Type.Number({ minimum: 0, maximum: 1 }),
  y: Type.Number({ minimum: 0, maximum: 1 }),
  /** Height of the head with its hair, as a share of the frame's height. */
  head: Type.Number({ minimum: 0.1, maximum: 1.5 }),
});

/** Where the head is in the frame: a name, or its centre and height. */
export const Framing = Type.Union([Type.Enum([...FRAMINGS]), FramingPlace]);
export type Framing = Static<typeof Framing>;

/** `#rrggbb`. */
const Colour = Type.String({ pattern: '^#[0-9a-f]{6}$' });

/** The picture behind the avatar. */
export const Background = Type.Union([
  /** The avatar's own room. */
  Type.Object({ kind: Type.Literal('own') }),
  /** The avatar's own room, out of focus. */
  Type.Object({ kind: Type.Literal('blur') }),
  Type.Object({ kind: Type.Literal('colour'), colour: Colour }),
  /** A shipped picture by its name, or an uploaded one by the hash of its blob. */
  Type.Object({ kind: Type.Literal('picture'), picture: Type.String({ maxLength: 64 }) }),
  /**
   * The video track is twice as wide: on its left the avatar on black (premultiplied), on its right
   * the opacity as grey.
   */
  Type.Object({ kind: Type.Literal('transparent') }),
]);
export type Background = Static<typeof Background>;

/** The picture that a session, a call or an agent asks for. */
export type VideoWish = {
  size?: { width: number; height: number };
  fps?: number;
  framing?: Framing;
  background?: Background;
};

/** The fields of a session that decide its video track. */
export type Sight = { width: number; height: number; background?: Background | undefined };

/** Size and name of the video track. By the name, pages know that it holds the opacity too. */
export function trackOf({ width, height, background }: Sight) {
  return background?.kind === 'transparent'
    ? { width: 2 * width, height, name: OPACITY_TRACK }
    : { width, height, name: 'avatar_video' };
}

/** Names of the pictures that workers ship. */
export const SHIPPED_BACKGROUNDS = [
  'office',
  'studio',
  'home',
  'library',
  'plain-light',
  'plain-dark',
] as const;
