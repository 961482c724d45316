import { describe, expect, test } from 'vitest';
import { codesOf, VectorIndex } from '../../src/knowledge/vector-index.ts';

/** Seeded, so that runs are equal. */
function randomBy(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 1_103_515_245 + 12_345) % 2 ** 31) / 2 ** 31 - 0.5;
}

const ofLengthOne = (vector: number[]): Float32Array => {
  const length = Math.hypot(...vector);
  return Float32Array.from(vector, (each) => each / length);
};

const dot = (a: Float32Array, b: Float32Array): number =>
  a.reduce((sum, each, at) => sum + each * b[at]!, 0);

function indexOf(vectors: (Float32Array | null)[], dimensions: number): VectorIndex {
  const index = new VectorIndex(vectors.length, dimensions);
  for (const [at, vector] of vectors.entries())
    index.set(at, vector ? codesOf(vector) : new Int8Array(dimensions));
  return index;
}

describe('a vector index', () => {
  test.each([3, 31, 32, 33, 100])(
    'finds vectors of the same direction in %i dimensions',
    (count) => {
      const random = randomBy(count);
      const vectors = Array.from({ length: 50 }, () =>
        ofLengthOne(Array.from({ length: count }, random)),
      );
      const index = indexOf(vectors, count);

      for (const [at, vector] of vectors.entries()) expect(index.find(vector, 1)).toEqual([at]);
    },
  );

  test('ranks thousands like the exact vectors do, whatever their length', () => {
    const [dimensions, themes] = [128, 20];
    const random = randomBy(7);
    const randomVector = () => Array.from({ length: dimensions }, random);
    // Like embeddings of texts: clustered, with a common component.
    const common = randomVector();
    const centres = Array.from({ length: themes }, randomVector);
    const near = (theme: number) =>
      ofLengthOne(
        randomVector().map((each, at) => each + 0.8 * centres[theme]![at]! + common[at]!),
      );
    const vectors = Array.from({ length: 3_000 }, (_, at) => near(at % themes));
    const index = indexOf(vectors, dimensions);

    let hits = 0;
    for (let theme = 0; theme < themes; theme += 1) {
      const question = near(theme);
      const best = vectors
        .map((vector, at) => ({ at, score: dot(vector, question) }))
        .toSorted((a, b) => b.score - a.score)
        .slice(0, 10)
        .map(({ at }) => at);
      const results = new Set(index.find(question, 10));
      hits += best.filter((at) => results.has(at)).length;
    }

    expect(hits / (themes * 10)).toBeGreaterThan(0.95);
  });

  test('never finds a passage without a vector', () => {
    const vector = ofLengthOne([1, 2, 3]);
    const index = indexOf([null, vector, null], 3);

    expect(index.find(ofLengthOne([-1, -2, -3]), 5)).toEqual([1]);
  });

  test('sets many passages at a time', () => {
    const [a, b] = [ofLengthOne([1, 0]), ofLengthOne([0, 1])];
    const index = new VectorIndex(3, 2);

    index.set(1, Int8Array.from([...codesOf(a), ...codesOf(b)]));

    expect(index.find(b, 3)).toEqual([2, 1]);
  });
});
