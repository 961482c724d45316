import path from 'node:path';
import { LogFile } from './log-file.ts';

const LEVELS: Record<string, number> = {
  trace: 10,
  debug: 20,
  info: 30,
  warn: 40,
  error: 50,
  fatal: 60,
  silent: 70,
};
/** Lines that Node prints around the message of an uncaught error. */
const STACK = /^(\s|node:internal|file:\/\/|Node\.js v|\}$)/;
/** Fields without information about the event. */
const QUIET = new Set([
  'level',
  'time',
  'ts',
  'pid',
  'hostname',
  'name',
  'msg',
  'logger',
  'caller',
  'nodeID',
  'stack',
]);

/**
 * The output of a program. Each line goes to its log file. Log lines of at least `level`, and plain lines on standard error, are also
 * shown in short form.
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
    const event = parse(line);
    const level = event ? levelOf(event) : stream === 'stderr' && !STACK.test(line) ? 50 : 0;
    const short = event ? inShort(event) : line;
    if (level >= 40) {
      this.last.push(short);
      if (this.last.length > 8) this.last.shift();
    }
    if (level >= this.#level && level > 0) this.#show(`${this.#name}: ${short}`);
  }
}

type LogEvent = Record<string, unknown>;

function parse(line: string): LogEvent | null {
  if (!line.startsWith('{')) return null;
  try {
    return JSON.parse(line) as LogEvent;
  } catch {
    // Not JSON after all: show the line as it is.
    return null;
  }
}

/** Pino writes numeric levels, the media server names. */
function levelOf({ level }: LogEvent): number {
  return typeof level === 'number' ? level : (LEVELS[String(level)] ?? 30);
}

function inShort(event: LogEvent): string {
  const level = levelOf(event);
  const word = Object.keys(LEVELS).find((name) => LEVELS[name] === level) ?? '';
  const fields = Object.entries(event)
    .filter(([name]) => !QUIET.has(name))
    .map(([name, value]) => `${name}=${textOf(value)}`);
  return [word, event['msg'], ...fields].filter(Boolean).join(' ');
}

/** Errors are reduced to their message; the file has the stack. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value && typeof value === 'object' && 'message' in value)
    return JSON.stringify(value.message);
  return JSON.stringify(value) ?? '';
}
