/** What a text is about, as a model would say it by numbers: each of these is a direction, and words that mean the same share one. */
const CONCEPTS = [
  /sneaker|running shoe|trainer/i,
  /price|cost|how much|euro/i,
  /open|close|hour|when/i,
  /return|bring back|refund/i,
  /summer|sandal/i,
];

/** A vector of `dimensions`; never of the length 0. */
export const conceptsIn = (text: string, dimensions = 40): number[] => [
  ...CONCEPTS.map((concept) => (concept.test(text) ? 1 : -0.1)),
  ...Array.from({ length: dimensions - CONCEPTS.length }, () => 0.01),
];
