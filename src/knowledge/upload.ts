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
import { FairTurns } from '../work/fair-turns.ts';
import { Places } from '../work/places.ts';
import type { StorageLimits } from '../records/engine/account-limits.ts';
import { checkComplete, type StatedTotals } from './completeness.ts';
import type { PdfReader } from './pdf-reader.ts';
import { readText } from './text.ts';

const MIB = 1024 ** 2;

/** Submits of one account that are worked on or wait. */
export const SUBMITS_PER_ACCOUNT = 16;
/** Texts that are stored at a time: each holds a chunk, or the text of a PDF. */
export const STORED_AT_A_TIME = 2;
const WAIT_MS = 40_000;

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
  clock: Pick<Clock, 'now' | 'after'>;
};

export class Uploads {
  readonly #parts: UploadsParts;
  /** By file id. Concurrent submits of a file share one read. */
  readonly #submitting = new Map<string, Promise<AvailableFile>>();
  readonly #places = new Places({
    perAccount: SUBMITS_PER_ACCOUNT,
    refusal: `${SUBMITS_PER_ACCOUNT} files of this account are being submitted. Submit this one when one of them is done.`,
    retryAfterSeconds: 5,
  });
  readonly #turns: FairTurns;

  constructor(parts: UploadsParts) {
    this.#parts = parts;
    const refusal = 'Other files are being stored. Please submit this one again shortly.';
    this.#turns = new FairTurns(parts.clock, {
      running: STORED_AT_A_TIME,
      waitMs: WAIT_MS,
      refusal,
    });
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

  /**
   * Returns an available file unchanged. `commit` runs the change, perhaps in a transaction. Throws
   * like `Places.hold` and `FairTurns.take`.
   */
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
    const submitting = this.#places.hold(uploader.accountId, () =>
      this.#submit(uploader, id, stated, commit),
    );
    this.#submitting.set(id, submitting);
    try {
      return await submitting;
    } finally {
      this.#submitting.delete(id);
    }
  }

  /** Refuses the submits that wait. */
  close(): void {
    this.#turns.close();
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
    const store = async () => {
      // Parts of texts are read as they are stored.
      const text = await files.stage(id, parts, maxBytes);
      let isFinished = false;
      try {
        isFinished = await commit((within) => within.finish(accountId, id, chunks, text, limits));
      } finally {
        if (!isFinished) await files.dropText(text.id);
      }
      if (!isFinished) throw changed();
      return { id: text.id, size: text.size };
    };
    const text = await this.#turns.take(accountId, store);
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
