/*
 * Nearest-neighbour search by cosine similarity. Vectors are quantized to one signed byte per
 * dimension. Their sign bits, compared 32 at a time, select the candidates whose bytes are
 * compared: twelve thousand passages take a millisecond or two instead of twenty.
 */

/** Candidates whose bytes are compared. */
const CANDIDATES = 400;

const MAX_CODE = 127;

/** Quantizes a vector to signed bytes, scaled to its largest component. */
export function codesOf(vector: Float32Array): Int8Array {
  const largest = vector.reduce((max, each) => Math.max(max, Math.abs(each)), 0);
  return Int8Array.from(vector, (each) => Math.round((each / largest) * MAX_CODE));
}

const wordsOf = (dimensions: number): number => Math.ceil(dimensions / 32);

/** Memory of an index: a byte and a bit per dimension, and the norms. */
export const bytesOfVectors = (passages: number, dimensions: number): number =>
  passages * (dimensions + 4 * wordsOf(dimensions) + 4);

export class VectorIndex {
  readonly dimensions: number;
  readonly bytes: number;
  readonly #codes: Int8Array;
  readonly #signs: Uint32Array;
  /** Norms of the codes; 0: the passage has no vector. */
  readonly #lengths: Float32Array;
  readonly #words: number;

  /** `passages`: capacity. */
  constructor(passages: number, dimensions: number) {
    this.dimensions = dimensions;
    this.bytes = bytesOfVectors(passages, dimensions);
    this.#words = wordsOf(dimensions);
    this.#codes = new Int8Array(passages * dimensions);
    this.#signs = new Uint32Array(passages * this.#words);
    this.#lengths = new Float32Array(passages);
  }

  /** Sets consecutive passages, as many as `codes` holds. All zeros: the passage has no vector. */
  set(from: number, codes: Int8Array): void {
    this.#codes.set(codes, from * this.dimensions);
    const end = from + codes.length / this.dimensions;
    for (let at = from; at < end; at += 1) {
      const codesOfPassage = this.#codesAt(at);
      this.#lengths[at] = Math.sqrt(dot(codesOfPassage, codesOfPassage));
      this.#signs.set(signsOf(codesOfPassage), at * this.#words);
    }
  }

  /** Best first, without a minimum score. */
  find(question: Float32Array, limit: number): number[] {
    return this.#candidates(signsOf(question))
      .map((at) => ({ at, score: dot(this.#codesAt(at), question) / this.#lengths[at]! }))
      .toSorted((a, b) => b.score - a.score)
      .slice(0, limit)
      .map(({ at }) => at);
  }

  #codesAt(at: number): Int8Array {
    return this.#codes.subarray(at * this.dimensions, (at + 1) * this.dimensions);
  }

  /** The passages with the smallest Hamming distance to these signs. */
  #candidates(signs: Uint32Array): number[] {
    const distances = new Uint16Array(this.#lengths.length);
    const counts = new Uint32Array(this.dimensions + 1);
    for (let at = 0; at < distances.length; at += 1) {
      if (this.#lengths[at] === 0) continue;
      const from = at * this.#words;
      let differing = 0;
      for (let word = 0; word < this.#words; word += 1)
        differing += bitsIn(this.#signs[from + word]! ^ signs[word]!);
      distances[at] = differing;
      counts[differing]! += 1;
    }
    let max = -1;
    for (let candidateCount = 0; candidateCount < CANDIDATES && max < this.dimensions;)
      candidateCount += counts[(max += 1)]!;
    const candidates: number[] = [];
    for (let at = 0; at < distances.length; at += 1)
      if (this.#lengths[at] !== 0 && distances[at]! <= max) candidates.push(at);
    return candidates;
  }
}

/** One bit per dimension, set if negative. */
function signsOf(vector: Int8Array | Float32Array): Uint32Array {
  const signs = new Uint32Array(wordsOf(vector.length));
  for (let at = 0; at < vector.length; at += 1)
    if (vector[at]! < 0) signs[at >> 5]! |= 1 << (at & 31);
  return signs;
}

function dot(codes: Int8Array, vector: Int8Array | Float32Array): number {
  let sum = 0;
  for (let at = 0; at < codes.length; at += 1) sum += codes[at]! * vector[at]!;
  return sum;
}

/** Population count. */
function bitsIn(word: number): number {
  const pairs = word - ((word >>> 1) & 0x5555_5555);
  const fours = (pairs & 0x3333_3333) + ((pairs >>> 2) & 0x3333_3333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f_0f0f, 0x0101_0101) >>> 24;
}
