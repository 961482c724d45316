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
import { nextEviction } from '../work/eviction.ts';
import { passagesOf, type Passage } from './chunks.ts';
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

/** When work for accounts is done. */
export interface IndexTurns {
  /** `bytes`: of the texts to index. */
  build<Result>(accountId: string, bytes: number, build: () => Promise<Result>): Promise<Result>;
  /** A step of computing or loading vectors. */
  fill<Result>(accountId: string, step: () => Promise<Result>): Promise<Result>;
}

export type KnowledgeOptions = {
  files: {
    /** `size`: bytes of its text. */
    available(accountId: string, ids: string[]): Promise<(KnowledgeFile & { size?: number })[]>;
    read(accountId: string, id: string): Promise<{ name: string; content: string | null } | null>;
  };
  vectors: PassageVectorRecords;
  clock: Pick<Clock, 'now' | 'elapsed'>;
  log: Log;
  turns: IndexTurns;
  limits: IndexLimits;
};

/** Passages indexed between two turns of the event loop. */
const SLICE = 8;

const MAX_RESULTS = 5;
/** Results of each search before they are merged. */
const CANDIDATES = 20;

type KnowledgeOf = { accountId: string; knowledgeFileIds: string[] };

type Index = { words: WordIndex; files: FileRange[] };

type CachedIndex = {
  name: string;
  accountId: string;
  building: Promise<Index>;
  /** Number of passages; 0 until it is built. */
  size: number;
  /** By vector space. */
  semantic: Map<string, SemanticIndex>;
};

export class Knowledge {
  readonly #options: KnowledgeOptions;
  /** Least recently used first. */
  readonly #cache = new Map<string, CachedIndex>();
  readonly #filling = new Set<Promise<void>>();
  readonly #stop = new AbortController();

  constructor(options: KnowledgeOptions) {
    this.#options = options;
  }

  /**
   * `embedder` null: word search only. `signal`: the answer is no longer wanted; the index is still
   * built, for later questions.
   */
  async find(
    of: KnowledgeOf,
    question: string,
    embedder: Embedder | null,
    signal?: AbortSignal,
  ): Promise<Passage[]> {
    const cached = await this.#indexed(of);
    if (!cached) return [];
    const { words } = await cached.building;
    signal?.throwIfAborted();
    const byWords = words.find(question, CANDIDATES);
    const semanticIndex = embedder && (await this.#semanticIndexOf(cached, embedder));
    const byMeaning = semanticIndex ? await semanticIndex.find(question, embedder, CANDIDATES) : [];
    return fused(byWords, byMeaning)
      .slice(0, MAX_RESULTS)
      .map((at) => words.passage(at));
  }

  /** Builds the index in the background, before the first question. */
  prepare(of: KnowledgeOf, embedder: Embedder | null): void {
    const build = async () => {
      const cached = await this.#indexed(of);
      if (cached && embedder) await this.#semanticIndexOf(cached, embedder);
    };
    build().catch((err: unknown) =>
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
    return sizeOf([...this.#cache.values()]);
  }

  /** Memory of all vectors. */
  get vectorBytes(): number {
    return sizeOf(this.#semanticIndexes);
  }

  get #semanticIndexes(): SemanticIndex[] {
    return [...this.#cache.values()].flatMap(({ semantic }) => [...semantic.values()]);
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
      name,
      accountId,
      building: this.#options.turns.build(accountId, bytes, () => this.#build(accountId, ids)),
      size: 0,
      semantic: new Map<string, SemanticIndex>(),
    };
    // Move it to the most recently used end.
    this.#cache.delete(name);
    this.#cache.set(name, cached);
    if (cached.size === 0) void this.#account(cached);
    await cached.building;
    return cached;
  }

  /** Missing vectors are computed in the background. Null if the index was evicted. */
  async #semanticIndexOf(cached: CachedIndex, embedder: Embedder): Promise<SemanticIndex | null> {
    const built = await cached.building;
    if (this.#cache.get(cached.name) !== cached) return null;
    const cachedIndex = cached.semantic.get(embedder.space);
    const index = cachedIndex ?? this.#newSemanticIndex(cached.accountId, built);
    if (!cachedIndex) cached.semantic.set(embedder.space, index);
    const filling = index
      .fill(embedder)
      .catch((err: unknown) => this.#options.log.error({ err }, 'passage vectors not stored'))
      .finally(() => this.#filling.delete(filling));
    this.#filling.add(filling);
    return index;
  }

  #newSemanticIndex(accountId: string, { words, files }: Index): SemanticIndex {
    const { vectors, clock, log, turns } = this.#options;
    const passage = (at: number) => words.passage(at);
    return new SemanticIndex(
      { accountId, length: words.length, passage, files },
      {
        vectors,
        clock,
        log,
        reserve: (index, bytes) => this.#reserve(index, bytes),
        inTurn: (step) => turns.fill(accountId, step),
        stop: this.#stop.signal,
      },
    );
  }

  /**
   * Counts the index once it is built. Drops a failed one, so that the next question builds it
   * again.
   */
  async #account(cached: CachedIndex): Promise<void> {
    try {
      cached.size = (await cached.building).words.length;
      this.#evict(cached);
    } catch {
      if (this.#cache.get(cached.name) === cached) this.#cache.delete(cached.name);
    }
  }

  /** Drops indexes until a new one has room. */
  #evict(builtIndex: CachedIndex): void {
    while (this.size > this.#options.limits.maxKept) {
      const indexes = [...this.#cache.values()].filter(({ size }) => size > 0);
      const eviction = nextEviction(indexes, builtIndex);
      if (!eviction) return;
      this.#cache.delete(eviction.name);
      for (const semanticIndex of eviction.semantic.values()) semanticIndex.release();
    }
  }

  /** Drops vectors until there is room for more. Their passages are still found by words. */
  #reserve(semanticIndex: SemanticIndex, bytes: number): boolean {
    const room = this.#options.limits.maxVectorBytes - bytes;
    if (room < 0) return false;
    while (this.vectorBytes > room) {
      const indexes = this.#semanticIndexes.filter(
        (each) => each === semanticIndex || each.size > 0,
      );
      const eviction = nextEviction(indexes, semanticIndex)!;
      eviction.release();
      for (const { semantic } of this.#cache.values())
        for (const [space, each] of semantic) if (each === eviction) semantic.delete(space);
    }
    return true;
  }

  async #build(accountId: string, ids: string[]): Promise<Index> {
    const { files, log, clock, limits } = this.#options;
    const { maxPassages, buildMs } = limits;
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

const sizeOf = (indexes: readonly { size: number }[]): number =>
  indexes.reduce((sum, { size }) => sum + size, 0);
