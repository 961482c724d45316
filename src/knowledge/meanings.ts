/*
 * What the passages of one index mean, by one model: their vectors, of which those that were made before are read, and the others asked for
 * in the background and kept. Until they are there, and whenever the model fails, passages are found by their words alone; its owner is told
 * so by the log, as of a language model that fails.
 *
 * empty     nothing is known yet                             -> filling
 * filling   what is there counts already                     -> whole, or resting on a failure
 * whole     each passage has its vector, or never will       -> resting when a question fails
 * resting   the model is not asked for a while               -> filling, or whole
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '#shared/clock.ts';
import { TextsRefused, type Embedder } from './embedder.ts';
import type { Log } from '#shared/log.ts';
import type { PassageVectorRecords } from '../records/passage-vectors.ts';
import { CUT, type Passage } from './chunks.ts';
import { codesOf, VectorIndex } from './vector-index.ts';

/** The passages of a file, by their numbers in the index. */
export type FileRange = { id: string; from: number; count: number };

export type Indexed = { length: number; passage(at: number): Passage; files: readonly FileRange[] };

export type MeaningsParts = {
  vectors: PassageVectorRecords;
  clock: Pick<Clock, 'now' | 'elapsed'>;
  log: Log;
  /** Of one index. */
  maxBytes: number;
  stop: AbortSignal;
};

/** Somebody waits for what is answered to this question. */
const QUESTION_MS = 500;
const FILL_MS = 30_000;
/** So long a model that failed is left alone. */
const REST_MS = 60_000;

/** So many passages are kept together. */
const RUN = 32;

type Run = { file: FileRange; number: number; from: number; count: number };

/** The model was exchanged behind its name. */
class OtherDimensions extends Error {
  override readonly name = 'OtherDimensions';
}

export class Meanings {
  readonly #indexed: Indexed;
  readonly #parts: MeaningsParts;
  #index: VectorIndex | null = null;
  #isWhole = false;
  #filling: Promise<void> | null = null;
  #restsUntil = 0;

  constructor(indexed: Indexed, parts: MeaningsParts) {
    this.#indexed = indexed;
    this.#parts = parts;
  }

  /** How much memory they take. */
  get bytes(): number {
    return this.#index ? this.#indexed.length * this.#index.dimensions : 0;
  }

  /** Resolves when there is nothing more to be had just now. */
  fill(embedder: Embedder): Promise<void> {
    if (this.#isWhole || this.#isResting) return Promise.resolve();
    this.#filling ??= this.#fill(embedder)
      .catch((error: unknown) => this.#fail(error, embedder))
      .finally(() => (this.#filling = null));
    return this.#filling;
  }

  /** Which passages, best first; none while the model cannot be asked. */
  async find(question: string, embedder: Embedder, limit: number): Promise<number[]> {
    const index = this.#index;
    if (!index || this.#isResting) return [];
    try {
      const [vector] = await embedder.embed([question], QUESTION_MS, this.#parts.stop);
      if (vector?.length !== index.dimensions) throw new OtherDimensions();
      return index.find(vector, limit);
    } catch (error) {
      await this.#fail(error, embedder);
      return [];
    }
  }

  get #isResting(): boolean {
    return this.#parts.clock.elapsed() < this.#restsUntil;
  }

  async #fill(embedder: Embedder): Promise<void> {
    const { vectors } = this.#parts;
    const wanted: Run[] = [];
    for (const file of this.#indexed.files) {
      const kept = new Map(
        (await vectors.list(file.id, spaceOf(embedder))).map((run) => [run.number, run]),
      );
      for (const run of runsOf(file)) {
        const { dimensions = 0, codes = null } = kept.get(run.number) ?? {};
        const size = run.count * dimensions;
        if (codes && codes.length >= size)
          this.#set(run, dimensions, new Int8Array(codes.buffer, codes.byteOffset, size));
        else wanted.push(run);
        if (passagesIn(wanted) >= RUN) await this.#make(wanted.splice(0), embedder);
      }
      await nextTurn();
    }
    if (wanted.length > 0) await this.#make(wanted, embedder);
    this.#isWhole = true;
  }

  async #make(runs: Run[], embedder: Embedder): Promise<void> {
    const { vectors, clock } = this.#parts;
    const texts = runs.flatMap(({ from, count }) =>
      Array.from({ length: count }, (_, i) => this.#textOf(from + i)),
    );
    const { dimensions, made } = await this.#ask(texts, embedder);
    const kept: { run: Run; codes: Int8Array }[] = [];
    for (const run of runs) {
      const codes = new Int8Array(run.count * dimensions);
      for (const [i, vector] of made.splice(0, run.count).entries())
        if (vector) codes.set(codesOf(vector), i * dimensions);
      this.#set(run, dimensions, codes);
      kept.push({ run, codes });
    }
    for (const { run, codes } of kept) {
      const row = { number: run.number, dimensions, codes: new Uint8Array(codes.buffer) };
      await vectors.keep(run.file.id, spaceOf(embedder), row, clock.now());
    }
  }

  /** What a file is about often stands in its name only. */
  #textOf(at: number): string {
    const { source, text } = this.#indexed.passage(at);
    return `${source}\n${text}`;
  }

  /** Null for a text that it does not take, perhaps for its length. */
  async #ask(
    texts: string[],
    embedder: Embedder,
  ): Promise<{ dimensions: number; made: (Float32Array | null)[] }> {
    const { stop, log } = this.#parts;
    const ask = (asked: string[]) => embedder.embed(asked, FILL_MS, stop);
    try {
      const made = await ask(texts);
      return { dimensions: made[0]?.length ?? 0, made };
    } catch (error) {
      if (!(error instanceof TextsRefused)) throw error;
    }
    // One that takes this much refuses the texts and not the request.
    const [proof] = await ask(['Hello']);
    const made: (Float32Array | null)[] = [];
    for (const text of texts) made.push(await ask([text]).then(first, unlessRefused));
    const { externalApiId } = embedder;
    const refused = made.filter((vector) => vector === null).length;
    log.warn({ externalApiId, refused }, 'passages are found by their words alone');
    return { dimensions: proof?.length ?? 0, made };
  }

  #set({ from }: Run, dimensions: number, codes: Int8Array): void {
    const { length } = this.#indexed;
    if (length * dimensions > this.#parts.maxBytes)
      throw new Error(`${length} passages are too many for ${dimensions} dimensions`);
    this.#index ??= new VectorIndex(length, dimensions);
    if (this.#index.dimensions !== dimensions) throw new OtherDimensions();
    this.#index.set(from, codes);
  }

  async #fail(error: unknown, embedder: Embedder): Promise<void> {
    const { stop, clock, log, vectors } = this.#parts;
    if (stop.aborted) return;
    this.#restsUntil = clock.elapsed() + REST_MS;
    const { externalApiId } = embedder;
    if (error instanceof OtherDimensions) {
      log.warn({ externalApiId }, 'the embeddings are of another model than before: made anew');
      this.#index = null;
      this.#isWhole = false;
      const files = this.#indexed.files.map(({ id }) => id);
      return vectors.forget(files, spaceOf(embedder));
    }
    log.error(
      { externalApiId, err: error },
      'the embeddings failed, so files are found by their words alone: look at the external API, its url, key and model',
    );
  }
}

const spaceOf = ({ space }: Embedder): string => `${CUT} ${space}`;

const first = ([vector]: Float32Array[]): Float32Array | null => vector ?? null;

function unlessRefused(error: unknown): null {
  if (error instanceof TextsRefused) return null;
  throw error;
}

function* runsOf(file: FileRange): Generator<Run> {
  for (let at = 0; at < file.count; at += RUN) {
    const count = Math.min(RUN, file.count - at);
    yield { file, number: at / RUN, from: file.from + at, count };
  }
}

const passagesIn = (runs: Run[]): number => runs.reduce((sum, { count }) => sum + count, 0);
