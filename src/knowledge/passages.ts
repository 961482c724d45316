/*
 * Finds passages of an agent's knowledge files for a question. The word index of a set of files is
 * built at its first question, in slices so that other work goes on, and kept in an LRU cache;
 * available files never change, so an index never goes stale. With embeddings, semantic matches are
 * merged in once their vectors exist.
 *
 * Closed by the app before the records.
 */
import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '#shared/clock.ts';
import type { Embedder } from './embedder.ts';
import type { Log } from '#shared/log.ts';
import type { KnowledgeFile } from '../records/knowledge/knowledge-files.ts';
import type { PassageVectorRecords } from '../records/knowledge/passage-vectors.ts';
import { PASSAGE_CHARS, passagesOf, type Passage } from './chunks.ts';
import { fused } from './fusion.ts';
import { SemanticIndex, type FileRange } from './semantic-index.ts';
import { MAX_WORDS, WordIndex } from './word-index.ts';

export type IndexLimits = {
  /** Passages per index; the rest is omitted, with a warning in the log. */
  maxPassages: number;
  /** Cached passages of all indexes. */
  maxKept: number;
  /** Memory of the vectors of all indexes. */
  maxVectorBytes: number;
  /** Time to build an index. */
  buildMs: number;
};

export type KnowledgeOptions = {
  files: {
    /** `size`: bytes of its text. */
    available(accountId: string, ids: string[]): Promise<(KnowledgeFile & { size?: number })[]>;
    read(accountId: string, id: string): Promise<{ name: string; content: string | null } | null>;
  };
  vectors: PassageVectorRecords;
  clock: Pick<Clock, 'now' | 'elapsed'>;
  log: Log;
  /** Runs the building of an index of so many bytes when its turn comes. Default: at once. */
  inTurn?: (accountId: string, bytes: number, build: () => Promise<Index>) => Promise<Index>;
} & Partial<IndexLimits>;

/** Passages indexed between two turns of the event loop. */
const SLICE = 8;

const MAX_PASSAGES = 40_000;
const MAX_KEPT = 80_000;
const MAX_VECTOR_BYTES = 160 * 1024 ** 2;

const MAX_RESULTS = 5;
/** Results of each search before they are merged. */
const CANDIDATES = 20;

type KnowledgeOf = { accountId: string; knowledgeFileIds: string[] };

export type Index = { words: WordIndex; files: FileRange[] };

type CachedIndex = {
  accountId: string;
  building: Promise<Index>;
  /** Number of passages; 0 until it is built. */
  length: number;
  /** By vector space. */
  semantic: Map<string, SemanticIndex>;
};

export class Knowledge {
  readonly #options: Required<KnowledgeOptions>;
  /** Least recently used first. */
  readonly #cache = new Map<string, CachedIndex>();
  readonly #filling = new Set<Promise<void>>();
  readonly #stop = new AbortController();

  constructor(options: KnowledgeOptions) {
    this.#options = {
      maxPassages: MAX_PASSAGES,
      maxKept: MAX_KEPT,
      maxVectorBytes: MAX_VECTOR_BYTES,
      buildMs: Number.POSITIVE_INFINITY,
      inTurn: (_accountId, _bytes, build) => build(),
      ...options,
    };
  }

  /** `embedder` null: word search only. */
  async find(of: KnowledgeOf, question: string, embedder: Embedder | null): Promise<Passage[]> {
    const cached = await this.#indexed(of);
    if (!cached) return [];
    const { words } = await cached.building;
    const byWords = words.find(question, CANDIDATES);
    const byMeaning = embedder
      ? await (await this.#semanticIndexOf(cached, embedder)).find(question, embedder, CANDIDATES)
      : [];
    return fused(byWords, byMeaning)
      .slice(0, MAX_RESULTS)
      .map((at) => words.passage(at));
  }

  /** Builds the index in the background, before the first question. */
  prepare(of: KnowledgeOf, embedder: Embedder | null): void {
    const prepared = async () => {
      const cached = await this.#indexed(of);
      if (cached && embedder) await this.#semanticIndexOf(cached, embedder);
    };
    prepared().catch((err: unknown) =>
      this.#options.log.warn({ accountId: of.accountId, err }, 'knowledge not indexed'),
    );
  }

  async close(): Promise<void> {
    this.#stop.abort(new Error('the service stops'));
    await this.filled();
  }

  /** Resolves when no vectors are being computed. */
  async filled(): Promise<void> {
    await Promise.all(this.#filling);
  }

  /** Passages in memory. */
  get size(): number {
    return [...this.#cache.values()].reduce((sum, { length }) => sum + length, 0);
  }

  /** Memory of all vectors. */
  get vectorBytes(): number {
    return [...this.#cache.values()].reduce((sum, each) => sum + bytesOf(each), 0);
  }

  /** Null if no file is available. */
  async #indexed({ accountId, knowledgeFileIds }: KnowledgeOf): Promise<CachedIndex | null> {
    const files = await this.#options.files.available(accountId, knowledgeFileIds);
    return files.length > 0 ? this.#indexOf(accountId, files) : null;
  }

  async #indexOf(
    accountId: string,
    files: (KnowledgeFile & { size?: number })[],
  ): Promise<CachedIndex> {
    const ids = files.map(({ id }) => id).toSorted();
    const bytes = files.reduce((sum, { size = 0 }) => sum + size, 0);
    const name = createHash('sha256')
      .update(JSON.stringify([accountId, ids]))
      .digest('hex');
    const cached = this.#cache.get(name) ?? {
      accountId,
      building: this.#options.inTurn(accountId, bytes, () => this.#build(accountId, ids)),
      length: 0,
      semantic: new Map<string, SemanticIndex>(),
    };
    // Move it to the most recently used end.
    this.#cache.delete(name);
    this.#cache.set(name, cached);
    if (cached.length === 0) void this.#account(name, cached);
    await cached.building;
    return cached;
  }

  /** Missing vectors are computed in the background. */
  async #semanticIndexOf(cached: CachedIndex, embedder: Embedder): Promise<SemanticIndex> {
    const { vectors, clock, log, maxVectorBytes: maxBytes } = this.#options;
    const { words, files } = await cached.building;
    const cachedIndex = cached.semantic.get(embedder.space);
    const parts = { vectors, clock, log, maxBytes, stop: this.#stop.signal };
    const passage = (at: number) => words.passage(at);
    const index = cachedIndex ?? new SemanticIndex({ length: words.length, passage, files }, parts);
    if (!cachedIndex) cached.semantic.set(embedder.space, index);
    const filling = index
      .fill(embedder)
      .then(() => this.#evict())
      .catch((err: unknown) => log.error({ err }, 'passage vectors not stored'))
      .finally(() => this.#filling.delete(filling));
    this.#filling.add(filling);
    return index;
  }

  /**
   * Counts the index once it is built. Drops a failed one, so that the next question builds it
   * again.
   */
  async #account(name: string, cached: CachedIndex): Promise<void> {
    try {
      cached.length = (await cached.building).words.length;
      this.#evict();
    } catch {
      if (this.#cache.get(name) === cached) this.#cache.delete(name);
    }
  }

  /** Drops the least recently used index of the account that has most in memory. */
  #evict(): void {
    const { maxKept, maxVectorBytes } = this.#options;
    while (this.size > maxKept || this.vectorBytes > maxVectorBytes) {
      const built = [...this.#cache].filter(([, { length }]) => length > 0);
      if (built.length < 2) return;
      const held = Map.groupBy(built, ([, { accountId }]) => accountId);
      const [largest] = [...held.values()].toSorted((a, b) => weightOf(b) - weightOf(a));
      this.#cache.delete(largest![0]![0]);
    }
  }

  async #build(accountId: string, ids: string[]): Promise<Index> {
    const { files, log, clock, maxPassages, buildMs } = this.#options;
    const startedAt = clock.elapsed();
    const words = new WordIndex();
    const ranges: FileRange[] = [];
    for (const id of ids) {
      const file = await files.read(accountId, id);
      if (file?.content == null) continue;
      const range = { id, from: words.length, count: 0 };
      ranges.push(range);
      for (const passage of passagesOf(file.name, file.content)) {
        if (words.length >= maxPassages) {
          log.warn({ accountId, knowledgeFileId: id, maxPassages }, 'knowledge passages omitted');
          return { words, files: ranges };
        }
        words.add(passage);
        range.count += 1;
        if (words.length % SLICE !== 0) continue;
        if (clock.elapsed() - startedAt > buildMs)
          throw new Error(`indexing takes more than ${buildMs / 1000} s`);
        await nextTurn();
      }
      await nextTurn();
    }
    if (words.omitsWords)
      log.warn(
        { accountId, knowledgeFileIds: ids, maxWords: MAX_WORDS },
        'knowledge words omitted',
      );
    return { words, files: ranges };
  }
}

/** A dimension of a vector takes a byte; a passage, about as much as its text twice. */
const weightOf = (indexes: [string, CachedIndex][]): number =>
  indexes.reduce((sum, [, index]) => sum + index.length * 2 * PASSAGE_CHARS + bytesOf(index), 0);

const bytesOf = ({ semantic }: CachedIndex): number =>
  [...semantic.values()].reduce((sum, { bytes }) => sum + bytes, 0);
