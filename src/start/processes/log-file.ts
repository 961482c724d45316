import {
  chmodSync,
  closeSync,
  fchmodSync,
  fstatSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  renameSync,
  writeSync,
} from 'node:fs';
import path from 'node:path';

const MAX_BYTES = 20 * 1024 ** 2;

type LogFileOptions = {
  file: string;
  /** Called at the first lost line. */
  onLoss: (reason: string) => void;
};

/**
 * A log file for its owner only; the previous one is kept as `.1`. While the file cannot be
 * written, for example on a full disk, lines are lost and counted: a log must not end the service.
 */
export class LogFile {
  readonly #file: string;
  readonly #onLoss: (reason: string) => void;
  #fd: number | null = null;
  #bytes = 0;
  /** Lines lost since the last one that was written. */
  #lost = 0;
  #hasLost = false;

  constructor({ file, onLoss }: LogFileOptions) {
    this.#file = file;
    this.#onLoss = onLoss;
  }

  append(line: string): void {
    try {
      if (this.#bytes > MAX_BYTES) this.#turn();
      // In one write: if only the note fitted, it would be repeated with each lost line.
      this.#write(this.#lost > 0 ? `${gap(this.#lost)}\n${line}` : line);
      this.#lost = 0;
    } catch (error) {
      this.#lost += 1;
      if (this.#hasLost) return;
      this.#hasLost = true;
      this.#onLoss(error instanceof Error ? error.message : String(error));
    }
  }

  close(): void {
    if (this.#fd !== null) closeSync(this.#fd);
    this.#fd = null;
  }

  #write(line: string): void {
    const fd = (this.#fd ??= this.#open());
    const bytes = Buffer.from(`${line}\n`);
    let written = 0;
    try {
      while (written < bytes.length) written += writeSync(fd, bytes, written);
    } catch (error) {
      // The rest of the line does not fit.
      if (written > 0) ftruncateSync(fd, this.#bytes);
      throw error;
    }
    this.#bytes += bytes.length;
  }

  #open(): number {
    const folder = path.dirname(this.#file);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const fd = openSync(this.#file, 'a', 0o600);
    const { size, uid } = fstatSync(fd);
    this.#bytes = size;
    // Earlier versions left both readable by others. Only their owner may change that.
    if (uid === process.getuid?.()) {
      fchmodSync(fd, 0o600);
      chmodSync(folder, 0o700);
    }
    return fd;
  }

  #turn(): void {
    this.close();
    this.#bytes = 0;
    renameSync(this.#file, `${this.#file}.1`);
  }
}

const gap = (lines: number): string =>
  JSON.stringify({ level: 40, msg: 'log lines lost: the file could not be written', lines });
