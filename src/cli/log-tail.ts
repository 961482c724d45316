import { open, stat } from 'node:fs/promises';
import path from 'node:path';
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
  #rest = '';
  #time = 0;

  constructor(folder: string, program: string) {
    this.#file = path.join(folder, `${program}.log`);
    this.#program = program;
  }

  /** Entries since the last call; at first, those of the end of the file. Empty while there is no file. */
  async read(): Promise<LogEntry[]> {
    const size = await stat(this.#file).then(
      (found) => found.size,
      () => 0,
    );
    const isFirst = this.#at === null;
    // A file that became shorter is a new one: the former was renamed.
    const from =
      this.#at === null ? Math.max(0, size - TAIL_BYTES) : this.#at > size ? 0 : this.#at;
    this.#at = size;
    if (size === from) return [];
    const text = this.#rest + (await readPart(this.#file, from, size - from));
    const lines = text.split('\n');
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

async function readPart(file: string, from: number, length: number): Promise<string> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, from);
    return buffer.toString('utf8', 0, bytesRead);
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
