/*
 * Finds what an agent's knowledge files say of a question. The words of its files are indexed when it is first asked about them and kept as
 * long as there is room: what is available never changes, so the same files are the same index. The least lately asked goes first.
 *
 * An index is built a slice at a time, between other work: a large file may take seconds.
 */
import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Log } from '#shared/log.ts';
import type { KnowledgeFile, KnowledgeFileRecords } from '../records/knowledge-files.ts';
import { passagesOf, type Passage } from './chunks.ts';
import { WordIndex } from './word-index.ts';

export type KnowledgeOptions = {
  files: Pick<KnowledgeFileRecords, 'available' | 'read'>;
  log: Log;
  /** How many passages of one agent's files are indexed: what is beyond is left out, and said so. */
  maxPassages?: number;
  /** How many are kept, of all agents together. */
  maxKept?: number;
};

/** How many passages are indexed in one go. */
const SLICE = 8;

const MAX_PASSAGES = 40_000;
const MAX_KEPT = 80_000;

/** How many are told, best first. */
const TOLD = 5;

export type KnowledgeOf = { accountId: string; knowledgeFileIds: string[] };

type Kept = { building: Promise<WordIndex>; length: number };

export class Knowledge {
  readonly #options: Required<KnowledgeOptions>;
  /** Least lately asked first. */
  readonly #kept = new Map<string, Kept>();

  constructor(options: KnowledgeOptions) {
    this.#options = { maxPassages: MAX_PASSAGES, maxKept: MAX_KEPT, ...options };
  }

  async find(of: KnowledgeOf, question: string): Promise<Passage[]> {
    const index = await this.#indexed(of);
    return index?.find(question, TOLD) ?? [];
  }

  /** It will be asked of these: the first question need not wait. */
  prepare(of: KnowledgeOf): void {
    this.#indexed(of).catch((err: unknown) =>
      this.#options.log.warn({ accountId: of.accountId, err }, 'knowledge not indexed'),
    );
  }

  /** How many passages are in memory. */
  get size(): number {
    return [...this.#kept.values()].reduce((sum, { length }) => sum + length, 0);
  }

  /** Null without any file. */
  async #indexed({ accountId, knowledgeFileIds }: KnowledgeOf): Promise<WordIndex | null> {
    const files = await this.#options.files.available(accountId, knowledgeFileIds);
    return files.length > 0 ? this.#indexOf(accountId, files) : null;
  }

  #indexOf(accountId: string, files: KnowledgeFile[]): Promise<WordIndex> {
    const ids = files.map(({ id }) => id).toSorted();
    const name = createHash('sha256')
      .update(JSON.stringify([accountId, ids]))
      .digest('hex');
    const kept = this.#kept.get(name) ?? { building: this.#build(accountId, ids), length: 0 };
    // To the end of the line, also when it was in it.
    this.#kept.delete(name);
    this.#kept.set(name, kept);
    if (kept.length === 0) void this.#account(name, kept);
    return kept.building;
  }

  /** Counts it once it is there; one that failed is built anew when it is asked for again. */
  async #account(name: string, kept: Kept): Promise<void> {
    try {
      kept.length = (await kept.building).length;
      this.#makeRoom();
    } catch {
      if (this.#kept.get(name) === kept) this.#kept.delete(name);
    }
  }

  #makeRoom(): void {
    for (const [name, { length }] of this.#kept) {
      if (this.size <= this.#options.maxKept || this.#kept.size === 1) return;
      if (length > 0) this.#kept.delete(name);
    }
  }

  async #build(accountId: string, ids: string[]): Promise<WordIndex> {
    const { files, log, maxPassages } = this.#options;
    const index = new WordIndex();
    for (const id of ids) {
      const file = await files.read(accountId, id);
      if (file?.content == null) continue;
      for (const passage of passagesOf(file.name, file.content)) {
        if (index.length >= maxPassages) {
          log.warn({ accountId, knowledgeFileId: id, maxPassages }, 'knowledge left out');
          return index;
        }
        index.add(passage);
        if (index.length % SLICE === 0) await nextTurn();
      }
      await nextTurn();
    }
    return index;
  }
}
