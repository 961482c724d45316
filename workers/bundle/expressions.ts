/** What a face can wear. A bundle has pictures of the neutral one and of as many others as it likes. */
export const EXPRESSIONS = ['neutral', 'warm', 'concerned', 'amused'] as const;
export type Expression = (typeof EXPRESSIONS)[number];
