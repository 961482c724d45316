/*
 * Semantic search over the passages of one index with one model. Stored vectors are read, missing
 * ones computed in the background and stored. Until then, and while the model fails, passages are
 * found by their words alone, and the log tells the operator.
 *
 * The index is usable while it is being filled. A failed request starts a cooldown, during which
 * the model is not called; a fill that failed restarts after it.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '#shared/clock.ts';
import { TextsRefused, type Embedder } from './embedder.ts';
import type { Log } from '#shared/log.ts';
import type { PassageVectorRecords } from '../records/knowledge/passage-vectors.ts';
import { CUT, type Passage } from './chunks.ts';
import { codesOf, VectorIndex } from './vector-index.ts';

/** The passages of a file, as a range of the index. */
export type FileRange = { id: string; from: number; count: number };

type Indexed = { length: number; passage(at: number): Passage; files: readonly FileRange[] };

type SemanticIndexParts = {
  vectors: PassageVectorRecords;
  clock: Pick<Clock, 'now' | 'elapsed'>;
  log: Log;
  /** Limit of one index. */
  maxBytes: number;
  stop: AbortSignal;
};

/** Timeout of a question, for which a user waits. */
const QUESTION_MS = 500;
const FILL_MS = 30_000;
const COOLDOWN_MS = 60_000;

/** Passages per stored row. */
const RUN = 32;

type Run = { file: FileRange; number: number; from: number; count: number };

/** The endpoint now serves another model under the same name. */
class OtherDimensions extends Error {
  override readonly name = 'OtherDimensions';
}

export class SemanticIndex {
  readonly #indexed: Indexed;
  readonly #parts: SemanticIndexParts;
  #index: VectorIndex | null = null;
  /** Every passage has its vector or was refused by the model. */
  #isComplete = false;
  #filling: Promise<void> | null = null;
  /** A question found other dimensions: a fill that began before must not complete the index. */
  #isDiscarded = false;
  #cooldownUntil = 0;

  constructor(indexed: Indexed, parts: SemanticIndexParts) {
    this.#indexed = indexed;
    this.#parts = parts;
  }

  /** Memory of the vectors. */
  get bytes(): number {
    return this.#index ? this.#indexed.length * this.#index.dimensions : 0;
  }

  /** Resolves when the index is complete or the model failed. */
  fill(embedder: Embedder): Promise<void> {
    if (this.#isComplete || this.#isCoolingDown) return Promise.resolve();
    this.#filling ??= this.#fill(embedder)
      .catch((error: unknown) => this.#fail(error, embedder))
      .finally(() => (this.#filling = null));
    return this.#filling;
  }

  /** Numbers of the best passages, best first; none during a cooldown. */
  async find(question: string, embedder: Embedder, limit: number): Promise<number[]> {
    const index = this.#index;
    if (!index || this.#isCoolingDown) return [];
    try {
      const [vector] = await embedder.embed([question], QUESTION_MS, this.#parts.stop);
      if (vector?.length !== index.dimensions) throw new OtherDimensions();
      return index.find(vector, limit);
    } catch (error) {
      await this.#fail(error, embedder);
      return [];
    }
  }

  get #isCoolingDown(): boolean {
    return this.#parts.clock.elapsed() < this.#cooldownUntil;
  }

  async #fill(embedder: Embedder): Promise<void> {
    const { vectors } = this.#parts;
    this.#isDiscarded = false;
    const missing: Run[] = [];
    for (const file of this.#indexed.files) {
      const stored = new Map(
        (await vectors.list(file.id, spaceOf(embedder))).map((run) => [run.number, run]),
      );
      for (const run of runsOf(file)) {
        const { dimensions = 0, codes = null } = stored.get(run.number) ?? {};
        const size = run.count * dimensions;
        if (codes && codes.length >= size)
          this.#set(run, dimensions, new Int8Array(codes.buffer, codes.byteOffset, size));
        else missing.push(run);
        if (passagesIn(missing) >= RUN) await this.#compute(missing.splice(0), embedder);
      }
      await nextTurn();
    }
    if (missing.length > 0) await this.#compute(missing, embedder);
    if (this.#isDiscarded) throw new OtherDimensions();
    this.#isComplete = true;
  }

  async #compute(runs: Run[], embedder: Embedder): Promise<void> {
    const { vectors, clock } = this.#parts;
    const texts = runs.flatMap(({ from, count }) =>
      Array.from({ length: count }, (_, i) => this.#textOf(from + i)),
    );
    const { dimensions, embedded } = await this.#embed(texts, embedder);
    const computed: { run: Run; codes: Int8Array }[] = [];
    for (const run of runs) {
      const codes = new Int8Array(run.count * dimensions);
      for (const [i, vector] of embedded.splice(0, run.count).entries())
        if (vector) codes.set(codesOf(vector), i * dimensions);
      this.#set(run, dimensions, codes);
      computed.push({ run, codes });
    }
    for (const { run, codes } of computed) {
      const row = { number: run.number, dimensions, codes: new Uint8Array(codes.buffer) };
      await vectors.keep(run.file.id, spaceOf(embedder), row, clock.now());
    }
  }

  /** Includes the file's name, which often holds its subject. */
  #textOf(at: number): string {
    const { source, text } = this.#indexed.passage(at);
    return `${source}\n${text}`;
  }

  /** Null for a text that the model refuses, perhaps because it is too long. */
  async #embed(
    texts: string[],
    embedder: Embedder,
  ): Promise<{ dimensions: number; embedded: (Float32Array | null)[] }> {
    const { stop, log } = this.#parts;
    const request = (part: string[]) => embedder.embed(part, FILL_MS, stop);
    try {
      const embedded = await request(texts);
      return { dimensions: embedded[0]?.length ?? 0, embedded };
    } catch (error) {
      if (!(error instanceof TextsRefused)) throw error;
    }
    // If the model refuses even this text, the request is at fault and this throws.
    const [probe] = await request(['Hello']);
    const embedded: (Float32Array | null)[] = [];
    for (const text of texts) embedded.push(await request([text]).then(firstVector, unlessRefused));
    const { externalApiId } = embedder;
    const refused = embedded.filter((vector) => vector === null).length;
    log.warn({ externalApiId, refused }, 'passages refused by the embedding model');
    return { dimensions: probe?.length ?? 0, embedded };
  }

  #set({ from }: Run, dimensions: number, codes: Int8Array): void {
    if (this.#isDiscarded) throw new OtherDimensions();
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
    this.#cooldownUntil = clock.elapsed() + COOLDOWN_MS;
    const { externalApiId } = embedder;
    if (error instanceof OtherDimensions) {
      log.warn({ externalApiId }, 'embedding dimensions changed; vectors will be recomputed');
      this.#index = null;
      this.#isComplete = false;
      this.#isDiscarded = true;
      const files = this.#indexed.files.map(({ id }) => id);
      return vectors.forget(files, spaceOf(embedder));
    }
    log.error(
      { externalApiId, err: error },
      'embeddings failed; knowledge files are searched by words alone. Check the url, key and model of the external API',
    );
  }
}

const spaceOf = ({ space }: Embedder): string => `${CUT} ${space}`;

const firstVector = ([vector]: Float32Array[]): Float32Array | null => vector ?? null;

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
