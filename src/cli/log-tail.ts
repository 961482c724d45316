import { open, stat } from 'node:fs/promises';
import path from 'node:path';
import { StringDecoder } from 'node:string_decoder';
import { levelOf, parseLogLine } from '../start/processes/log-lines.ts';

/* The end of a program's log file, and what is added to it. */
export type LogEntry = {
  program: string;
  /** Milliseconds since the epoch. A line without a time has that of the line before. */
  time: number;
  level: number;
  text: string;
};

/** Upper bound, to limit memory. */
const TAIL_BYTES = 4 * 1024 ** 2;

export class LogTail {
  readonly #file: string;
  readonly #program: string;
  #at: number | null = null;
  /** Keeps the beginning of a character whose end is not written yet. */
  #decoder = new StringDecoder('utf8');
  #rest = '';
  #time = 0;

  constructor(folder: string, program: string) {
    this.#file = path.join(folder, `${program}.log`);
    this.#program = program;
  }

  /**
   * Entries since the last call; at first, those of the end of the file. Empty while there is no
   * file.
   */
  async read(): Promise<LogEntry[]> {
    const size = await stat(this.#file).then(
      (fileStat) => fileStat.size,
      () => 0,
    );
    const isFirst = this.#at === null;
    // A file that became shorter is a new one: the former was renamed.
    const isNew = this.#at !== null && this.#at > size;
    const from = this.#at === null ? Math.max(0, size - TAIL_BYTES) : isNew ? 0 : this.#at;
    if (isNew) {
      this.#decoder = new StringDecoder('utf8');
      this.#rest = '';
    }
    const bytes = size === from ? NOTHING : await readPart(this.#file, from, size - from);
    this.#at = from + bytes.length;
    if (bytes.length === 0) return [];
    const lines = (this.#rest + this.#decoder.write(bytes)).split('\n');
    this.#rest = lines.pop() ?? '';
    // The first line of a part of a file is cut.
    if (isFirst && from > 0) lines.shift();
    return lines.filter((line) => line.trim() !== '').map((line) => this.#toEntry(line));
  }

  #toEntry(text: string): LogEntry {
    const event = parseLogLine(text);
    if (event) this.#time = timeOf(event['time'] ?? event['ts']) ?? this.#time;
    return { program: this.#program, time: this.#time, level: event ? levelOf(event) : 30, text };
  }
}

const NOTHING = Buffer.alloc(0);

async function readPart(file: string, from: number, length: number): Promise<Buffer> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, from);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

/** Pino writes milliseconds; the media server writes seconds or an ISO time. */
function timeOf(value: unknown): number | null {
  if (typeof value === 'number') return value < 1e11 ? value * 1000 : value;
  const ms = typeof value === 'string' ? Date.parse(value) : NaN;
  return Number.isNaN(ms) ? null : ms;
}
