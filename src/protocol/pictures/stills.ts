/** Ability of workers that take stills. */
export const TAKES_STILLS = 'stills';

/** One still serves all who look within this time, so a worker takes no more of a session. */
export const STILL_EVERY_MS = 4_000;

/** Longer side of a still, in pixels. */
export const STILL_SIDE = 160;

/** A JPEG in base64. One of `STILL_SIDE` is about 6 KB; the limit leaves room in a message. */
export const STILL_TEXT = { pattern: '^[A-Za-z0-9+/]+={0,2}$', maxLength: 48_000 };
