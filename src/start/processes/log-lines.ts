/* Lines that the programs log: JSON by pino and by the media server, or plain text. */
export const LEVELS: Record<string, number> = {
  trace: 10,
  debug: 20,
  info: 30,
  warn: 40,
  error: 50,
  fatal: 60,
  silent: 70,
};
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

export type LogEvent = Record<string, unknown>;

/** Null for a line that is not JSON. */
export function parseLogLine(line: string): LogEvent | null {
  if (!line.startsWith('{')) return null;
  try {
    return JSON.parse(line) as LogEvent;
  } catch {
    // Not JSON after all: show the line as it is.
    return null;
  }
}

/** Pino writes numeric levels, the media server names. */
export function levelOf({ level }: LogEvent): number {
  return typeof level === 'number' ? level : (LEVELS[String(level)] ?? 30);
}

export function inShort(event: LogEvent): string {
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
