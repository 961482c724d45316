/** Runs tasks one at a time, in order. A failed task does not stop the next. */
export class SerialQueue {
  #last: Promise<unknown> = Promise.resolve();

  run<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#last.then(work);
    this.#last = result.catch(() => {});
    return result;
  }

  /** Resolves when all that was given so far has run. */
  async settled(): Promise<void> {
    await this.#last;
  }
}
