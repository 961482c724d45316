/*
 * A body on its way in. Its beginning is kept in memory; a longer one goes to a file, so that slow
 * senders hold little. The file has no name, so a crash leaves none behind.
 */
import { randomUUID } from 'node:crypto';
import { mkdir, open, unlink, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { Fault } from '../../errors.ts';
import { isDiskFull } from '../../records/engine/blob-files.ts';
import type { ByteLease } from './byte-budget.ts';

const FIRST_BYTES = 4 * 1024;
/** Kept in memory; also the size of a write. As large as most routes allow a body. */
const WINDOW_BYTES = 64 * 1024;
/** Small, because the parser of forms takes milliseconds for a piece that is full of parts. */
const PIECE_BYTES = 16 * 1024;

type Arriving = {
  folder: string;
  memory: ByteLease;
  disk: ByteLease;
  /** Largest size of the body. */
  limit: number;
};

export class ArrivingBody {
  readonly #arriving: Arriving;
  /** Copied, because a piece of one byte may keep 64 KiB of a socket alive. */
  #window = Buffer.alloc(0);
  #windowed = 0;
  #file: FileHandle | null = null;
  #size = 0;
  #isDiscarded = false;

  constructor(arriving: Arriving) {
    this.#arriving = arriving;
  }

  get size(): number {
    return this.#size;
  }

  get limit(): number {
    return this.#arriving.limit;
  }

  get isInFile(): boolean {
    return this.#file !== null;
  }

  async add(piece: Buffer): Promise<void> {
    this.#size += piece.length;
    if (this.#size > this.#arriving.limit) throw new Fault('too_large');
    for (let at = 0; at < piece.length;) {
      if (this.#windowed === WINDOW_BYTES) await this.#flush();
      this.#grow(piece.length - at);
      const copied = piece.copy(this.#window, this.#windowed, at);
      this.#windowed += copied;
      at += copied;
    }
  }

  /** Call after the last piece. A body in a file is then only in the file. */
  async end(): Promise<void> {
    if (this.#file) await this.#flush();
  }

  async bytes(): Promise<Buffer> {
    if (!this.#file) return this.#window.subarray(0, this.#windowed);
    const bytes = Buffer.allocUnsafe(this.#size);
    let at = 0;
    for await (const piece of this.#read(WINDOW_BYTES)) at += piece.copy(bytes, at);
    return bytes;
  }

  async *pieces(): AsyncGenerator<Buffer> {
    if (this.#file) return yield* this.#read(PIECE_BYTES);
    for (let at = 0; at < this.#windowed; at += PIECE_BYTES) {
      yield this.#window.subarray(at, Math.min(at + PIECE_BYTES, this.#windowed));
    }
  }

  /** May be called twice, also while the body arrives or is read. */
  async discard(): Promise<void> {
    this.#isDiscarded = true;
    const file = this.#file;
    this.#file = null;
    // At once: of many bodies that reach the limit together, the others then go on.
    this.#arriving.disk.release();
    await file?.close();
  }

  /** Once: the file is then gone. */
  async *#read(pieceBytes: number): AsyncGenerator<Buffer> {
    try {
      for (let at = 0; at < this.#size;) {
        const piece = Buffer.allocUnsafe(pieceBytes);
        const { bytesRead } = await this.#openFile.read(piece, 0, pieceBytes, at);
        if (bytesRead === 0) throw new Error('the file of a body is too short');
        yield piece.subarray(0, bytesRead);
        at += bytesRead;
      }
    } finally {
      await this.discard();
    }
  }

  get #openFile(): FileHandle {
    if (!this.#file) throw new Fault('unreadable_request');
    return this.#file;
  }

  #grow(bytes: number): void {
    if (this.#windowed < this.#window.length) return;
    const size = Math.min(
      WINDOW_BYTES,
      Math.max(FIRST_BYTES, 2 * this.#windowed, this.#windowed + bytes),
    );
    if (!this.#arriving.memory.tryGrow(size - this.#window.length)) throw tooManyBodies();
    const window = Buffer.allocUnsafeSlow(size);
    this.#window.copy(window, 0, 0, this.#windowed);
    this.#window = window;
  }

  async #flush(): Promise<void> {
    if (this.#isDiscarded) throw new Fault('unreadable_request');
    if (!this.#arriving.disk.tryGrow(this.#windowed)) throw tooManyBodies();
    try {
      this.#file ??= await openUnnamed(this.#arriving.folder);
      await this.#file.writeFile(this.#window.subarray(0, this.#windowed));
    } catch (error) {
      throw isDiskFull(error) ? new Fault('storage_full') : error;
    }
    this.#windowed = 0;
  }
}

async function openUnnamed(folder: string): Promise<FileHandle> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const name = path.join(folder, randomUUID());
  const file = await open(name, 'wx+', 0o600);
  await unlink(name);
  return file;
}

export const tooManyBodies = (): Fault =>
  new Fault('at_capacity', {
    detail: 'Too many large request bodies are under way. Please try again shortly.',
    advice:
      'Send fewer large requests at the same time; try again after the seconds in Retry-After.',
    about: { reason: 'request_bodies' },
    retryAfterSeconds: 2,
  });
