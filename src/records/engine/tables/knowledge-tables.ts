/* The tables of knowledge files, on behalf of `tables.ts`. */
import type { Generated } from 'kysely';
import type { Listed } from './listed.ts';

export type KnowledgeFilesTable = Listed & {
  name: string;
  format: 'text' | 'pdf';
  status: 'to-upload' | 'available';
  content: string | null;
  /** Bytes of its chunks, or of its text once it is available. */
  size: Generated<number>;
  /** When its last chunk arrived; null: no chunk did. */
  uploaded_at: Generated<number | null>;
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
