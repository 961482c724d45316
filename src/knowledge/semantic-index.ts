/*
 * Semantic search over the passages of one index with one model. Stored vectors are read, missing
 * ones computed in the background and stored. Until then, and while the model fails, passages are
 * found by their words alone, and the log tells the operator.
 *
 * The index is usable while it is being filled, in steps that take turns with other work. A failed
 * request starts a cooldown, during which the model is not called; a fill that failed restarts
 * after it.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '#shared/clock.ts';
import type { Log } from '#shared/log.ts';
import { Fault } from '../errors.ts';
import { TextsRefused, type Embedder } from './embedder.ts';
import type { PassageVectorRecords } from '../records/knowledge/passage-vectors.ts';
import { CUT, type Passage } from './chunks.ts';
import { bytesOfVectors, codesOf, VectorIndex } from './vector-index.ts';

/** The passages of a file, as a range of the index. */
export type FileRange = { id: string; from: number; count: number };

type Indexed = {
  accountId: string;
  length: number;
  passage(at: number): Passage;
  files: readonly FileRange[];
};

type SemanticIndexParts = {
  vectors: PassageVectorRecords;
  clock: Pick<Clock, 'now' | 'elapsed'>;
  log: Log;
  /** Makes room for vectors of this index. False: there is none. */
  reserve(index: SemanticIndex, bytes: number): boolean;
  /** Runs a step of a fill when its turn comes. */
  inTurn<Result>(step: () => Promise<Result>): Promise<Result>;
  stop: AbortSignal;
};

/** Timeout of a question, for which a user waits. */
const QUESTION_MS = 500;
const FILL_MS = 30_000;
/** For the texts of a refused batch, one by one. */
const ONE_BY_ONE_MS = 60_000;
const COOLDOWN_MS = 60_000;

/** Passages per stored row. */
const RUN = 32;

/** Stored rows that are read at a time: at most a megabyte. */
const RUNS_PER_READ = 8;

type Run = { file: FileRange; number: number; from: number; count: number };

/** The endpoint now serves another model under the same name. */
class OtherDimensions extends Error {
  override readonly name = 'OtherDimensions';
}

export class SemanticIndex {
  readonly accountId: string;
  readonly #parts: SemanticIndexParts;
  readonly #release = new AbortController();
  readonly #stop: AbortSignal;
  #indexed: Indexed;
  #index: VectorIndex | null = null;
  /** Every passage has its vector or was refused by the model. */
  #isComplete = false;
  #filling: Promise<void> | null = null;
  /** A question found other dimensions: a fill that began before must not complete the index. */
  #isDiscarded = false;
  #cooldownUntil = 0;

  constructor(indexed: Indexed, parts: SemanticIndexParts) {
    this.accountId = indexed.accountId;
    this.#indexed = indexed;
    this.#parts = parts;
    this.#stop = AbortSignal.any([parts.stop, this.#release.signal]);
  }

  /** Bytes of the vectors. */
  get size(): number {
    return this.#index?.bytes ?? 0;
  }

  /** Ends its fill, and lets go of vectors and passages, which steps that wait would keep. */
  release(): void {
    this.#release.abort(new Error('the index was evicted'));
    this.#index = null;
    this.#indexed = { ...this.#indexed, length: 0, passage: () => NO_PASSAGE, files: [] };
  }

  /** Resolves when the index is complete or the model failed. */
  fill(embedder: Embedder): Promise<void> {
    if (this.#isComplete || this.#isCoolingDown || this.#stop.aborted) return Promise.resolve();
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
      const [vector] = await embedder.embed([question], QUESTION_MS, this.#stop);
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
    this.#isDiscarded = false;
    const missing: Run[] = [];
    for (const runs of this.#indexed.files.flatMap(readsOf)) {
      for (const run of await this.#step(() => this.#load(runs, embedder))) {
        missing.push(run);
        if (passagesIn(missing) < RUN) continue;
        await this.#step(() => this.#compute(missing.splice(0), embedder));
      }
      await nextTurn();
    }
    if (missing.length > 0) await this.#step(() => this.#compute(missing, embedder));
    if (this.#isDiscarded) throw new OtherDimensions();
    this.#isComplete = true;
  }

  #step<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.#parts.inTurn(async () => {
      this.#stop.throwIfAborted();
      return work();
    });
  }

  /** Returns the runs without stored vectors. `runs`: consecutive ones of a file. */
  async #load(runs: Run[], embedder: Embedder): Promise<Run[]> {
    const { file, number: from } = runs[0]!;
    const range = { from, limit: runs.length };
    const rows = await this.#parts.vectors.list(file.id, spaceOf(embedder), range);
    const storedRuns = new Map(rows.map((row) => [row.number, row]));
    return runs.filter((run) => {
      const { dimensions = 0, codes = null } = storedRuns.get(run.number) ?? {};
      const size = run.count * dimensions;
      if (!codes || codes.length < size) return true;
      this.#set(run, dimensions, new Int8Array(codes.buffer, codes.byteOffset, size));
      return false;
    });
  }

  async #compute(runs: Run[], embedder: Embedder): Promise<void> {
    const { vectors, clock } = this.#parts;
    const texts = runs.flatMap(({ from, count }) =>
      Array.from({ length: count }, (_, i) => this.#textOf(from + i)),
    );
    const { dimensions, vectors: computedVectors } = await this.#embed(texts, embedder);
    const rows: { fileId: string; number: number; codes: Uint8Array }[] = [];
    for (const run of runs) {
      const codes = new Int8Array(run.count * dimensions);
      for (const [i, vector] of computedVectors.splice(0, run.count).entries())
        if (vector) codes.set(codesOf(vector), i * dimensions);
      this.#set(run, dimensions, codes);
      rows.push({ fileId: run.file.id, number: run.number, codes: new Uint8Array(codes.buffer) });
    }
    for (const { fileId, ...row } of rows)
      await vectors.keep(fileId, spaceOf(embedder), { ...row, dimensions }, clock.now());
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
  ): Promise<{ dimensions: number; vectors: (Float32Array | null)[] }> {
    const { clock, log } = this.#parts;
    try {
      const vectors = await embedder.embed(texts, FILL_MS, this.#stop);
      return { dimensions: vectors[0]?.length ?? 0, vectors };
    } catch (error) {
      if (!(error instanceof TextsRefused)) throw error;
    }
    const deadline = clock.elapsed() + ONE_BY_ONE_MS;
    const request = (part: string[]) =>
      embedder.embed(part, Math.min(FILL_MS, deadline - clock.elapsed()), this.#stop);
    // If the model refuses even this text, the request is at fault and this throws.
    const [probe] = await request(['Hello']);
    const vectors: (Float32Array | null)[] = [];
    for (const text of texts) vectors.push(await request([text]).then(firstVector, unlessRefused));
    const { externalApiId } = embedder;
    const refusals = vectors.filter((vector) => vector === null).length;
    log.warn({ externalApiId, refused: refusals }, 'passages refused by the embedding model');
    return { dimensions: probe?.length ?? 0, vectors };
  }

  #set({ from }: Run, dimensions: number, codes: Int8Array): void {
    this.#stop.throwIfAborted();
    if (this.#isDiscarded) throw new OtherDimensions();
    const { length } = this.#indexed;
    if (!this.#index && !this.#parts.reserve(this, bytesOfVectors(length, dimensions)))
      throw new Error(`${length} passages are too many for ${dimensions} dimensions`);
    this.#index ??= new VectorIndex(length, dimensions);
    if (this.#index.dimensions !== dimensions) throw new OtherDimensions();
    this.#index.set(from, codes);
  }

  async #fail(error: unknown, embedder: Embedder): Promise<void> {
    const { clock, log, vectors } = this.#parts;
    // Without a place for its request, the model is not at fault.
    if (this.#stop.aborted || isCrowded(error)) return;
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

const NO_PASSAGE: Passage = { source: '', text: '' };

const isCrowded = (error: unknown): boolean =>
  error instanceof Fault && (error.fault === 'at_capacity' || error.fault === 'rate_limit');

const spaceOf = ({ space }: Embedder): string => `${CUT} ${space}`;

const firstVector = ([vector]: Float32Array[]): Float32Array | null => vector ?? null;

function unlessRefused(error: unknown): null {
  if (error instanceof TextsRefused) return null;
  throw error;
}

/** The runs of a file, as many as are read at a time. */
function readsOf(file: FileRange): Run[][] {
  const runs = Array.from({ length: Math.ceil(file.count / RUN) }, (_, number) => {
    const at = number * RUN;
    return { file, number, from: file.from + at, count: Math.min(RUN, file.count - at) };
  });
  const reads = Math.ceil(runs.length / RUNS_PER_READ);
  return Array.from({ length: reads }, () => runs.splice(0, RUNS_PER_READ));
}

const passagesIn = (runs: Run[]): number => runs.reduce((sum, { count }) => sum + count, 0);
