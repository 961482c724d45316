/*
 * Uploads of knowledge files. Chunks arrive in any order and may be replaced; `submit` joins them.
 */
import type { Clock } from '#shared/clock.ts';
import { newRecordId } from '#shared/ids.ts';
import { Fault } from '../errors.ts';
import type {
  Chunk,
  KnowledgeFile,
  KnowledgeFileRecords,
} from '../records/knowledge/knowledge-files.ts';
import type { StoredText } from '../records/knowledge/knowledge-texts.ts';
import type { StorageLimits } from '../records/engine/account-limits.ts';
import { checkComplete, type StatedTotals } from './completeness.ts';
import type { PdfReader } from './pdf-reader.ts';
import { readText } from './text.ts';

const MIB = 1024 ** 2;
export const MAX_CHUNK_BYTES = 8 * MIB;
export const MAX_FILE_BYTES = 64 * MIB;

export type AvailableFile = KnowledgeFile & {
  text: StoredText;
  /** The problem of a file that was read in part. */
  warning?: string;
};

/** The uploader's account. */
export type Uploader = { accountId: string; limits: StorageLimits };

/** Runs `finish` on the files and returns what it returns. */
type CommitSubmit = (
  finish: (files: Pick<KnowledgeFileRecords, 'finish'>) => Promise<boolean>,
) => Promise<boolean>;

type UploadsParts = {
  files: KnowledgeFileRecords;
  pdfs: Pick<PdfReader, 'read'>;
  clock: Pick<Clock, 'now'>;
};

export class Uploads {
  readonly #parts: UploadsParts;
  /** By file id. Concurrent submits of a file share one read. */
  readonly #submitting = new Map<string, Promise<AvailableFile>>();

  constructor(parts: UploadsParts) {
    this.#parts = parts;
  }

  /** Throws like `KnowledgeFileRecords.putChunk`. */
  async putChunk(
    { accountId, limits }: Uploader,
    id: string,
    number: number,
    bytes: Uint8Array,
  ): Promise<void> {
    const { files, clock } = this.#parts;
    const chunk = { number, uploadId: newRecordId(), bytes, at: clock.now() };
    await files.putChunk(accountId, id, chunk, { fileBytes: MAX_FILE_BYTES, account: limits });
  }

  /** Returns an available file unchanged. `commit` runs the change, perhaps in a transaction. */
  async submit(
    uploader: Uploader,
    id: string,
    stated: StatedTotals = {},
    commit: CommitSubmit = (finish) => finish(this.#parts.files),
  ): Promise<AvailableFile> {
    const file = await this.#parts.files.find(uploader.accountId, id);
    if (!file) throw new Fault('not_found');
    const running = this.#submitting.get(id);
    if (running) return running;
    const submitting = this.#submit(uploader, id, stated, commit);
    this.#submitting.set(id, submitting);
    try {
      return await submitting;
    } finally {
      this.#submitting.delete(id);
    }
  }

  async #submit(
    { accountId, limits }: Uploader,
    id: string,
    stated: StatedTotals,
    commit: CommitSubmit,
  ): Promise<AvailableFile> {
    const { files, pdfs } = this.#parts;
    const chunks = await files.chunks(id);
    // After the chunks: another submit that finishes the file deletes them.
    const file = await files.find(accountId, id);
    if (!file) throw new Fault('not_found');
    const storedText = await files.textOf(accountId, id);
    if (storedText) return { ...file, text: storedText };
    checkComplete(chunks, stated);
    const size = chunks.reduce((sum, chunk) => sum + chunk.size, 0);
    const open = () => this.#bytes(id, chunks);
    let warning: string | undefined;
    const { parts, maxBytes } = await readText(
      { ...file, size, open },
      pdfs,
      (text) => (warning = text),
    );
    const staged = await files.stage(id, parts, maxBytes);
    const { whole: _whole, ...text } = staged;
    let isFinished = false;
    try {
      isFinished = await commit((within) => within.finish(accountId, id, chunks, staged, limits));
    } finally {
      if (!isFinished) await files.dropText(text.id);
    }
    if (!isFinished) throw changed();
    return { ...file, status: 'available', text, ...(warning && { warning }) };
  }

  /** Loads one chunk at a time, to limit memory. */
  async *#bytes(id: string, chunks: Chunk[]): AsyncGenerator<Uint8Array> {
    for (const { uploadId } of chunks) {
      const bytes = await this.#parts.files.readChunk(id, uploadId);
      if (!bytes) throw changed();
      yield bytes;
    }
  }
}

const changed = (): Fault =>
  new Fault('conflict', { detail: 'The file was changed while it was read. Submit it again.' });
