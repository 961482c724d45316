import path from 'node:path';
import { LogFile } from './log-file.ts';
import { inShort, LEVELS, levelOf, parseLogLine } from './log-lines.ts';
import { isRoutine } from './routine-lines.ts';

/** Lines that Node prints around the message of an uncaught error. */
const STACK = /^(\s|node:internal|file:\/\/|Node\.js v|\}$)/;

/**
 * The output of a program. Each line goes to its log file. Log lines of at least `level`, and plain
 * lines on standard error, are also shown in short form, but no routine ones.
 */
export class ProgramLog {
  readonly file: string;
  readonly #kept: LogFile;
  readonly #name: string;
  readonly #level: number;
  readonly #show: (line: string) => void;
  /** The last warnings and errors, for a message about a program that keeps exiting. */
  readonly last: string[] = [];
  readonly #rest = { stdout: '', stderr: '' };

  constructor(options: {
    folder: string;
    name: string;
    level: string;
    show: (line: string) => void;
  }) {
    this.file = path.join(options.folder, `${options.name}.log`);
    this.#name = options.name;
    this.#level = LEVELS[options.level] ?? 40;
    this.#show = options.show;
    this.#kept = new LogFile({
      file: this.file,
      onLoss: (reason) =>
        this.#show(`${this.#name}: its log cannot be written, so lines are lost: ${reason}`),
    });
  }

  write(stream: 'stdout' | 'stderr', text: string): void {
    const lines = (this.#rest[stream] + text).split('\n');
    this.#rest[stream] = lines.pop() ?? '';
    for (const line of lines) this.#line(stream, line);
  }

  close(): void {
    for (const stream of ['stdout', 'stderr'] as const) {
      if (this.#rest[stream]) this.write(stream, '\n');
    }
    this.#kept.close();
  }

  #line(stream: 'stdout' | 'stderr', line: string): void {
    if (!line.trim()) return;
    this.#kept.append(line);
    const event = parseLogLine(line);
    if (event && isRoutine(event)) return;
    const level = event ? levelOf(event) : stream === 'stderr' && !STACK.test(line) ? 50 : 0;
    const short = event ? inShort(event) : line;
    if (level >= 40) {
      this.last.push(short);
      if (this.last.length > 8) this.last.shift();
    }
    if (level >= this.#level && level > 0) this.#show(`${this.#name}: ${short}`);
  }
}
