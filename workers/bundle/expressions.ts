/** Facial expressions. A bundle contains `neutral` and any of the others. */
export const EXPRESSIONS = ['neutral', 'warm', 'concerned', 'amused'] as const;
export type Expression = (typeof EXPRESSIONS)[number];
