/*
 * Uploads of knowledge files. Chunks arrive in any order and may be replaced; `submit` joins them.
 */
import { newRecordId } from '#shared/ids.ts';
import { Fault } from '../errors.ts';
import type { Chunk, KnowledgeFile, KnowledgeFileRecords } from '../records/knowledge-files.ts';
import type { PdfReader } from './pdf-reader.ts';
import { readText } from './text.ts';

const MIB = 1024 ** 2;
export const MAX_CHUNK_BYTES = 8 * MIB;
export const MAX_FILE_BYTES = 64 * MIB;

/** Missing chunks named in an error. */
const MAX_NAMED = 10;

export type ReadFile = KnowledgeFile & { content: string };

export class Uploads {
  readonly #files: KnowledgeFileRecords;
  readonly #pdfs: Pick<PdfReader, 'read'>;
  /** By file id. Concurrent submits of a file share one read. */
  readonly #submitting = new Map<string, Promise<ReadFile>>();

  constructor(files: KnowledgeFileRecords, pdfs: Pick<PdfReader, 'read'>) {
    this.#files = files;
    this.#pdfs = pdfs;
  }

  /** Throws like `KnowledgeFileRecords.putChunk`. */
  async putChunk(accountId: string, id: string, number: number, bytes: Uint8Array): Promise<void> {
    const chunk = { number, uploadId: newRecordId(), bytes };
    await this.#files.putChunk(accountId, id, chunk, MAX_FILE_BYTES);
  }

  /** Returns an available file unchanged. */
  async submit(accountId: string, id: string): Promise<ReadFile> {
    const file = await this.#files.find(accountId, id);
    if (!file) throw new Fault('not_found');
    const running = this.#submitting.get(id);
    if (running) return running;
    const submitting = this.#submit(accountId, id);
    this.#submitting.set(id, submitting);
    try {
      return await submitting;
    } finally {
      this.#submitting.delete(id);
    }
  }

  async #submit(accountId: string, id: string): Promise<ReadFile> {
    const chunks = await this.#files.chunks(id);
    // After the chunks: another submit that finishes the file deletes them.
    const file = await this.#files.find(accountId, id);
    if (!file) throw new Fault('not_found');
    if (file.status === 'available') {
      const read = await this.#files.read(file.accountId, file.id);
      if (!read || read.content === null) throw new Fault('not_found');
      return { ...read, content: read.content };
    }
    checkComplete(chunks);
    const content = await readText(file.format, this.#bytes(id, chunks), this.#pdfs);
    if (!(await this.#files.finish(id, chunks, content))) throw changed();
    return { ...file, status: 'available', content };
  }

  /** Loads one chunk at a time, to limit memory. */
  async *#bytes(id: string, chunks: Chunk[]): AsyncGenerator<Uint8Array> {
    for (const { uploadId } of chunks) {
      const bytes = await this.#files.readChunk(id, uploadId);
      if (!bytes) throw changed();
      yield bytes;
    }
  }
}

const changed = (): Fault =>
  new Fault('conflict', { detail: 'The file was changed while it was read. Submit it again.' });

/** Callers number chunks from 0 or from 1. */
function checkComplete(chunks: Chunk[]): void {
  const present = new Set(chunks.map(({ number }) => number));
  const last = chunks.at(-1)?.number;
  if (last === undefined) throw incomplete('No chunk has been uploaded.');

  const missing: number[] = [];
  for (let number = present.has(0) ? 0 : 1; number < last; number += 1) {
    if (!present.has(number)) missing.push(number);
  }
  if (missing.length === 0) return;
  const named = missing.slice(0, MAX_NAMED).join(', ');
  const more = missing.length > MAX_NAMED ? ` and ${missing.length - MAX_NAMED} more` : '';
  throw incomplete(`Chunks are missing: ${named}${more}.`);
}

const incomplete = (detail: string): Fault => new Fault('invalid_parameter', { detail });
