/** `certainty`: least probability of the last two words; 1 where the recogniser does not tell. */
export type Transcript = { text: string; certainty: number };
