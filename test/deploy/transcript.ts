/**
 * The steps of a part of `npm run test:deploy`, with times. They are undone in reverse order,
 * whatever happens.
 */
export class Transcript {
  readonly #part: string;
  readonly #undo: { name: string; run: () => Promise<unknown> }[] = [];

  constructor(part: string) {
    this.#part = part;
  }

  async step<Result>(name: string, run: () => Promise<Result>): Promise<Result> {
    const begunAt = performance.now();
    try {
      const result = await run();
      this.#print('ok    ', name, begunAt);
      return result;
    } catch (error) {
      this.#print('FAILED', name, begunAt);
      throw error;
    }
  }

  /** A fact worth reading: a size, a time. */
  note(text: string): void {
    console.log(`         ${this.#part}: ${text}`);
  }

  /** Runs when the part ends. */
  atEnd(name: string, run: () => Promise<unknown>): void {
    this.#undo.push({ name, run });
  }

  async end(): Promise<void> {
    for (const { name, run } of this.#undo.splice(0).toReversed()) await this.step(name, run);
  }

  #print(result: string, name: string, begunAt: number): void {
    const seconds = ((performance.now() - begunAt) / 1000).toFixed(1).padStart(6);
    console.log(`${result} ${seconds} s  ${this.#part}: ${name}`);
  }
}

/** Prints the transcript of one part, and undoes what it did. */
export async function withTranscript(
  part: string,
  run: (transcript: Transcript) => Promise<void>,
): Promise<void> {
  const transcript = new Transcript(part);
  try {
    await run(transcript);
  } finally {
    await transcript.end();
  }
}
