/*
 * Finds what an agent's knowledge files say of a question. The words of its files are indexed when it is first asked about them and kept as
 * long as there is room: what is available never changes, so the same files are the same index. The least lately asked goes first.
 *
 * An index is built a slice at a time, between other work: a large file may take seconds. Where its agent has embeddings, passages are found
 * by their meaning too, as soon as their vectors are there; the two lists become one by their places.
 *
 * Closed by the app before the records.
 */
import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '#shared/clock.ts';
import type { Embedder } from './embedder.ts';
import type { Log } from '#shared/log.ts';
import type { KnowledgeFile, KnowledgeFileRecords } from '../records/knowledge-files.ts';
import type { PassageVectorRecords } from '../records/passage-vectors.ts';
import { passagesOf, type Passage } from './chunks.ts';
import { fused } from './fusion.ts';
import { Meanings, type FileRange } from './meanings.ts';
import { WordIndex } from './word-index.ts';

export type KnowledgeOptions = {
  files: Pick<KnowledgeFileRecords, 'available' | 'read'>;
  vectors: PassageVectorRecords;
  clock: Pick<Clock, 'now' | 'elapsed'>;
  log: Log;
  /** How many passages of one agent's files are indexed: what is beyond is left out, and said so. */
  maxPassages?: number;
  /** How many are kept, of all agents together. */
  maxKept?: number;
  /** How many bytes their vectors may take, of all agents together. */
  maxVectorBytes?: number;
};

/** How many passages are indexed in one go. */
const SLICE = 8;

const MAX_PASSAGES = 40_000;
const MAX_KEPT = 80_000;
const MAX_VECTOR_BYTES = 160 * 1024 ** 2;

/** How many are told, best first. */
const TOLD = 5;
/** How many of each way to find them are put together. */
const CONSIDERED = 20;

export type KnowledgeOf = { accountId: string; knowledgeFileIds: string[] };

type Index = { words: WordIndex; files: FileRange[] };

type Kept = {
  building: Promise<Index>;
  /** Of passages; 0 until it is built. */
  length: number;
  /** By the space of their vectors. */
  meanings: Map<string, Meanings>;
};

export class Knowledge {
  readonly #options: Required<KnowledgeOptions>;
  /** Least lately asked first. */
  readonly #kept = new Map<string, Kept>();
  readonly #filling = new Set<Promise<void>>();
  readonly #stop = new AbortController();

  constructor(options: KnowledgeOptions) {
    this.#options = {
      maxPassages: MAX_PASSAGES,
      maxKept: MAX_KEPT,
      maxVectorBytes: MAX_VECTOR_BYTES,
      ...options,
    };
  }

  /** `embedder` null: by their words alone. */
  async find(of: KnowledgeOf, question: string, embedder: Embedder | null): Promise<Passage[]> {
    const kept = await this.#indexed(of);
    if (!kept) return [];
    const { words } = await kept.building;
    const byWords = words.find(question, CONSIDERED);
    const byMeaning = embedder
      ? await (await this.#meant(kept, embedder)).find(question, embedder, CONSIDERED)
      : [];
    return fused(byWords, byMeaning)
      .slice(0, TOLD)
      .map((at) => words.passage(at));
  }

  /** It will be asked of these: the first question need not wait. */
  prepare(of: KnowledgeOf, embedder: Embedder | null): void {
    const prepared = async () => {
      const kept = await this.#indexed(of);
      if (kept && embedder) await this.#meant(kept, embedder);
    };
    prepared().catch((err: unknown) =>
      this.#options.log.warn({ accountId: of.accountId, err }, 'knowledge not indexed'),
    );
  }

  async close(): Promise<void> {
    this.#stop.abort(new Error('the service stops'));
    await this.filled();
  }

  /** When nothing is asked for any more in the background. */
  async filled(): Promise<void> {
    await Promise.all(this.#filling);
  }

  /** How many passages are in memory. */
  get size(): number {
    return [...this.#kept.values()].reduce((sum, { length }) => sum + length, 0);
  }

  /** How many bytes the vectors in memory take. */
  get vectorBytes(): number {
    return [...this.#kept.values()].reduce((sum, each) => sum + bytesOf(each), 0);
  }

  /** Null without any file. */
  async #indexed({ accountId, knowledgeFileIds }: KnowledgeOf): Promise<Kept | null> {
    const files = await this.#options.files.available(accountId, knowledgeFileIds);
    return files.length > 0 ? this.#indexOf(accountId, files) : null;
  }

  async #indexOf(accountId: string, files: KnowledgeFile[]): Promise<Kept> {
    const ids = files.map(({ id }) => id).toSorted();
    const name = createHash('sha256')
      .update(JSON.stringify([accountId, ids]))
      .digest('hex');
    const kept = this.#kept.get(name) ?? {
      building: this.#build(accountId, ids),
      length: 0,
      meanings: new Map<string, Meanings>(),
    };
    // To the end of the line, also when it was in it.
    this.#kept.delete(name);
    this.#kept.set(name, kept);
    if (kept.length === 0) void this.#account(name, kept);
    await kept.building;
    return kept;
  }

  /** What is not known yet is asked for meanwhile. */
  async #meant(kept: Kept, embedder: Embedder): Promise<Meanings> {
    const { vectors, clock, log, maxVectorBytes: maxBytes } = this.#options;
    const { words, files } = await kept.building;
    const known = kept.meanings.get(embedder.space);
    const parts = { vectors, clock, log, maxBytes, stop: this.#stop.signal };
    const passage = (at: number) => words.passage(at);
    const meanings = known ?? new Meanings({ length: words.length, passage, files }, parts);
    if (!known) kept.meanings.set(embedder.space, meanings);
    const filling = meanings
      .fill(embedder)
      .then(() => this.#makeRoom())
      .catch((err: unknown) => log.error({ err }, 'vectors of passages not kept'))
      .finally(() => this.#filling.delete(filling));
    this.#filling.add(filling);
    return meanings;
  }

  /** Counts it once it is there; one that failed is built anew when it is asked for again. */
  async #account(name: string, kept: Kept): Promise<void> {
    try {
      kept.length = (await kept.building).words.length;
      this.#makeRoom();
    } catch {
      if (this.#kept.get(name) === kept) this.#kept.delete(name);
    }
  }

  #makeRoom(): void {
    const { maxKept, maxVectorBytes } = this.#options;
    for (const [name, { length }] of this.#kept) {
      const fits = this.size <= maxKept && this.vectorBytes <= maxVectorBytes;
      if (fits || this.#kept.size === 1) return;
      if (length > 0) this.#kept.delete(name);
    }
  }

  async #build(accountId: string, ids: string[]): Promise<Index> {
    const { files, log, maxPassages } = this.#options;
    const words = new WordIndex();
    const ranges: FileRange[] = [];
    for (const id of ids) {
      const file = await files.read(accountId, id);
      if (file?.content == null) continue;
      const range = { id, from: words.length, count: 0 };
      ranges.push(range);
      for (const passage of passagesOf(file.name, file.content)) {
        if (words.length >= maxPassages) {
          log.warn({ accountId, knowledgeFileId: id, maxPassages }, 'knowledge left out');
          return { words, files: ranges };
        }
        words.add(passage);
        range.count += 1;
        if (words.length % SLICE === 0) await nextTurn();
      }
      await nextTurn();
    }
    return { words, files: ranges };
  }
}

const bytesOf = ({ meanings }: Kept): number =>
  [...meanings.values()].reduce((sum, { bytes }) => sum + bytes, 0);
