/* The requests between the control plane and its search process. */
import type { KnowledgeFile } from '../../records/knowledge/knowledge-files.ts';
import type { Passage } from '../chunks.ts';
import type { EmbeddingModel } from '../embedder.ts';
import type { IndexLimits } from '../passages.ts';

/** More memory ends the process. */
export type SearchLimits = IndexLimits & { memoryMiB: number };

/** Exit status of a process that exceeds its memory. */
export const OUT_OF_MEMORY = 3;

export type KnowledgeOf = { accountId: string; knowledgeFileIds: string[] };

/** `model` null: word search only. */
type Search = { of: KnowledgeOf; model: EmbeddingModel | null };

/** Requests that the process answers. */
export type SearchVerbs = {
  find(request: Search & { question: string }, signal: AbortSignal): Promise<Passage[]>;
  /** Resolves before the index is built. */
  prepare(request: Search): Promise<void>;
  ping(request: null): Promise<void>;
};

type OfAccount = { accountId: string; id: string };
export type VectorRun = { number: number; dimensions: number; codes: Uint8Array };
type VectorsOf = { fileId: string; space: string };

/** As the log of the process writes it. */
type LogLine = { level: number; msg: string; [field: string]: unknown };

/** Requests that the control plane answers. */
export type RecordVerbs = {
  available(request: {
    accountId: string;
    ids: string[];
  }): Promise<(KnowledgeFile & { size: number })[]>;
  /** Null if there is no text. */
  open(request: OfAccount): Promise<{ name: string; textId: string } | null>;
  /** Null behind the last one. */
  piece(request: { textId: string; number: number }): Promise<string | null>;
  /** Runs from a number on. */
  vectors(request: VectorsOf & { from: number; limit: number }): Promise<VectorRun[]>;
  keepVectors(request: VectorsOf & { run: VectorRun }): Promise<void>;
  forgetVectors(request: { fileIds: readonly string[]; space: string }): Promise<void>;
  embed(
    request: {
      accountId: string;
      model: EmbeddingModel;
      texts: readonly string[];
      withinMs: number;
    },
    signal: AbortSignal,
  ): Promise<{ type: 'answer'; body: Uint8Array } | { type: 'refused'; why: string }>;
  /**
   * Accounts whose files are being indexed, or whose vectors are computed or loaded: they are held
   * responsible for a sudden end.
   */
  building(request: { accountIds: string[] }): Promise<void>;
  log(request: { line: LogLine }): Promise<void>;
};
