/* The tables of knowledge files, on behalf of `tables.ts`. */
import type { Generated } from 'kysely';
import type { RowOf } from './columns.ts';
import type { knowledgeTextColumns } from './knowledge-file-columns.ts';

export type KnowledgeFilesTable = RowOf<typeof knowledgeTextColumns> & {
  /** Bytes of its chunks, or of its text once it is available. */
  size: Generated<number>;
  /** When its last chunk arrived; null: no chunk did. */
  uploaded_at: number | null;
  /** Names its pieces in `knowledge_texts`. Null: the text, if any, is only in `content`. */
  text_id: string | null;
  listed_at: number;
};

/** Pieces of texts, in UTF-8. */
export type KnowledgeTextsTable = {
  text_id: string;
  number: number;
  file_id: string;
  bytes: Uint8Array;
};

export type KnowledgeChunksTable = {
  file_id: string;
  number: number;
  /** New for each upload, so a replaced chunk can be detected. */
  upload_id: string;
  size: number;
  bytes: Uint8Array;
};

export type PassageVectorsTable = {
  file_id: string;
  space: string;
  number: number;
  dimensions: number;
  codes: Uint8Array;
  created_at: number;
};
