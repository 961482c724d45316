/** Rows of numbers at equal time steps. Keeps the last ROWS. */
export class Grid {
  readonly #width: number;
  readonly #rows: Float32Array;
  /** The step of each row. -1: empty. */
  readonly #steps = new Float64Array(ROWS).fill(-1);
  /** The latest step stored. */
  newest = -1;

  constructor(width: number) {
    this.#width = width;
    this.#rows = new Float32Array(ROWS * width);
  }

  /** A number stands for a row of one. */
  put(step: number, row: Float64Array | number) {
    if (step < 0) return;
    const place = step % ROWS;
    this.#steps[place] = step;
    if (typeof row === 'number') this.#rows[place] = row;
    else this.#rows.set(row, place * this.#width);
    if (step > this.newest) this.newest = step;
  }

  forgetFrom(step: number) {
    for (let place = 0; place < ROWS; place++) {
      if (this.#steps[place]! >= step) this.#steps[place] = -1;
    }
    this.newest = Math.min(this.newest, step - 1);
  }

  /**
   * Mean of column `part` with a triangular weight that reaches 0 at `at` ± (`reach` + 1). 0
   * without data.
   */
  mean(at: number, reach: number, part: number): number {
    let sum = 0;
    let weights = 0;
    for (let step = Math.ceil(at - reach); step <= at + reach; step++) {
      const place = this.#placeOf(step);
      if (place < 0) continue;
      const weight = 1 - Math.abs(step - at) / (reach + 1);
      weights += weight;
      sum += weight * this.#rows[place * this.#width + part]!;
    }
    return weights > 0 ? sum / weights : 0;
  }

  most(from: number, to: number, part: number): number {
    let most = 0;
    for (let step = Math.ceil(from); step <= to; step++) {
      const place = this.#placeOf(step);
      if (place >= 0) most = Math.max(most, this.#rows[place * this.#width + part]!);
    }
    return most;
  }

  #placeOf(step: number): number {
    if (step < 0) return -1;
    const place = step % ROWS;
    return this.#steps[place] === step ? place : -1;
  }
}

/** About five seconds at 10 ms: more than speech is ever ahead. */
const ROWS = 512;
