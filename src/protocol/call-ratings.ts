/** Ratings that the user of a call may give. */
export const RATINGS = ['good', 'bad'] as const;
export type Rating = (typeof RATINGS)[number];

/** In UTF-16 units. */
export const MAX_COMMENT_LENGTH = 1_000;
