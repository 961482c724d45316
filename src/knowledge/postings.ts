/*
 * Which passages contain which words, in typed arrays: a posting takes five bytes. The postings of
 * a passage lie together, in order of passages; those of a word are a list, newest first.
 */

/** Words are numbered from 0. */
export class Postings {
  #passages = new Uint32Array(64);
  #passageCount = 0;
  /** For each posting: the next posting of its word, plus one. 0: none. */
  #next = new Uint32Array(1024);
  /** For each posting: how often the passage contains the word. */
  #counts = new Uint8Array(1024);
  #size = 0;
  /** For each word: its newest posting, plus one, and the number of its postings. */
  #newest = new Uint32Array(1024);
  #frequencies = new Uint32Array(1024);
  #words = 0;

  get passages(): number {
    return this.#passageCount;
  }

  get words(): number {
    return this.#words;
  }

  get size(): number {
    return this.#size;
  }

  addWord(): number {
    this.#newest = fitting(this.#newest, this.#words);
    this.#frequencies = fitting(this.#frequencies, this.#words);
    return this.#words++;
  }

  /** Adds a passage. `counts`: by word. */
  add(counts: ReadonlyMap<number, number>): void {
    this.#passages = fitting(this.#passages, this.#passageCount);
    this.#passages[this.#passageCount++] = this.#size;
    for (const [word, count] of counts) {
      this.#next = fitting(this.#next, this.#size);
      this.#counts = fitting(this.#counts, this.#size);
      this.#next[this.#size] = this.#newest[word]!;
      this.#counts[this.#size] = Math.min(count, 255);
      this.#newest[word] = this.#size += 1;
      this.#frequencies[word]! += 1;
    }
  }

  /** Number of passages that contain the word. */
  frequency(word: number): number {
    return this.#frequencies[word]!;
  }

  /** Number of words in the passage, each counted once. */
  length(passage: number): number {
    const end = passage + 1 < this.#passageCount ? this.#passages[passage + 1]! : this.#size;
    return end - this.#passages[passage]!;
  }

  *of(word: number): Generator<{ passage: number; count: number }> {
    for (let at = this.#newest[word]!; at !== 0; at = this.#next[at - 1]!)
      yield { passage: this.#passageOf(at - 1), count: this.#counts[at - 1]! };
  }

  /** By binary search. */
  #passageOf(posting: number): number {
    let [low, high] = [0, this.#passageCount - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.#passages[middle]! <= posting) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}

/** The array, or a larger copy that has an item `at`. */
function fitting<List extends Uint8Array<ArrayBuffer> | Uint32Array<ArrayBuffer>>(
  list: List,
  at: number,
): List {
  if (at < list.length) return list;
  const larger = new (list.constructor as new (length: number) => List)(list.length * 2);
  larger.set(list);
  return larger;
}
