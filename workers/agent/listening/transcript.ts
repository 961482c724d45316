/** `certainty`: probability of the last word; 1 where the recogniser does not tell. */
export type Transcript = { text: string; certainty: number };
