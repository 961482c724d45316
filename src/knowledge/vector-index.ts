/*
 * Passages by their meaning: those whose vectors point where that of the question does. A vector is kept as one signed byte for each of its
 * dimensions, a quarter of what it came as, and its signs once more by themselves: by these, which are compared 32 at a time, the few are
 * found that are worth comparing number by number. Twelve thousand passages take a millisecond or two instead of twenty.
 */

/** So many are compared number by number. */
const COMPARED = 400;

const MOST = 127;

/** Signed bytes of a vector of the length 1, scaled so that the largest is all that a byte holds. */
export function codesOf(vector: Float32Array): Int8Array {
  const largest = vector.reduce((most, each) => Math.max(most, Math.abs(each)), 0);
  return Int8Array.from(vector, (each) => Math.round((each / largest) * MOST));
}

export class VectorIndex {
  readonly dimensions: number;
  readonly #codes: Int8Array;
  readonly #signs: Uint32Array;
  /** Of the codes as a vector; 0: there is none of this passage. */
  readonly #lengths: Float32Array;
  readonly #words: number;

  /** With room for so many passages. */
  constructor(passages: number, dimensions: number) {
    this.dimensions = dimensions;
    this.#words = Math.ceil(dimensions / 32);
    this.#codes = new Int8Array(passages * dimensions);
    this.#signs = new Uint32Array(passages * this.#words);
    this.#lengths = new Float32Array(passages);
  }

  /** `codes`: of as many passages as they suffice for, beginning with this one. All zero: of that one there is no vector. */
  set(from: number, codes: Int8Array): void {
    this.#codes.set(codes, from * this.dimensions);
    const end = from + codes.length / this.dimensions;
    for (let at = from; at < end; at += 1) {
      const own = this.#codesAt(at);
      this.#lengths[at] = Math.sqrt(dot(own, own));
      this.#signs.set(signsOf(own), at * this.#words);
    }
  }

  /** Best first, whether they fit well or not. The vector has as many dimensions as the index. */
  find(question: Float32Array, limit: number): number[] {
    return this.#likely(signsOf(question))
      .map((at) => ({ at, score: dot(this.#codesAt(at), question) / this.#lengths[at]! }))
      .toSorted((a, b) => b.score - a.score)
      .slice(0, limit)
      .map(({ at }) => at);
  }

  #codesAt(at: number): Int8Array {
    return this.#codes.subarray(at * this.dimensions, (at + 1) * this.dimensions);
  }

  /** The few whose signs differ least from these. */
  #likely(signs: Uint32Array): number[] {
    const apart = new Uint16Array(this.#lengths.length);
    const counts = new Uint32Array(this.dimensions + 1);
    for (let at = 0; at < apart.length; at += 1) {
      if (this.#lengths[at] === 0) continue;
      const from = at * this.#words;
      let differing = 0;
      for (let word = 0; word < this.#words; word += 1)
        differing += bitsIn(this.#signs[from + word]! ^ signs[word]!);
      apart[at] = differing;
      counts[differing]! += 1;
    }
    let most = -1;
    for (let found = 0; found < COMPARED && most < this.dimensions;) found += counts[(most += 1)]!;
    const likely: number[] = [];
    for (let at = 0; at < apart.length; at += 1)
      if (this.#lengths[at] !== 0 && apart[at]! <= most) likely.push(at);
    return likely;
  }
}

/** A bit for each dimension: whether it is below zero. */
function signsOf(vector: Int8Array | Float32Array): Uint32Array {
  const signs = new Uint32Array(Math.ceil(vector.length / 32));
  for (let at = 0; at < vector.length; at += 1)
    if (vector[at]! < 0) signs[at >> 5]! |= 1 << (at & 31);
  return signs;
}

function dot(one: Int8Array, other: Int8Array | Float32Array): number {
  let sum = 0;
  for (let at = 0; at < one.length; at += 1) sum += one[at]! * other[at]!;
  return sum;
}

/** How many of 32 are set. */
function bitsIn(word: number): number {
  const pairs = word - ((word >>> 1) & 0x5555_5555);
  const fours = (pairs & 0x3333_3333) + ((pairs >>> 2) & 0x3333_3333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f_0f0f, 0x0101_0101) >>> 24;
}
