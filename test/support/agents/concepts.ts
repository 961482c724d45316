/** A stand-in for embeddings: each concept is a dimension, and words of one meaning share it. */
const CONCEPTS = [
  /sneaker|running shoe|trainer/i,
  /price|cost|how much|euro/i,
  /open|close|hour|when/i,
  /return|bring back|refund/i,
  /summer|sandal/i,
];

/** A vector of `dimensions` with a length above 0. */
export const conceptsIn = (text: string, dimensions = 40): number[] => [
  ...CONCEPTS.map((concept) => (concept.test(text) ? 1 : -0.1)),
  ...Array.from({ length: dimensions - CONCEPTS.length }, () => 0.01),
];
