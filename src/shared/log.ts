import { pino, stdSerializers, type DestinationStream, type Logger } from 'pino';
import { limitLastLines } from './last-lines.ts';

export type Log = Logger;

/** Fields that never appear in logs, at any depth. */
const hidden = [
  'token',
  'key',
  'apiKey',
  'api_key',
  'secret',
  'password',
  'agent_token',
  'viewer_token',
  'speech',
  'text',
];
const hiddenWithin = new Set([...hidden, 'x-api-key', 'authorization']);
const CENSOR = '[hidden]';

/**
 * Batches writes, because a write costs more than formatting a line. pino flushes at exit. Lines
 * beyond `maxLength` bytes are dropped while standard output cannot be written.
 */
const STANDARD_OUTPUT = { sync: false, minLength: 4096, periodicFlush: 100, maxLength: 1024 ** 2 };

/** Errors nest their causes, and those nest requests. */
const MAX_DEPTH = 5;

type LogOptions = {
  name: string;
  level?: string;
  /** Adds `trace_id` to lines with a `sessionId`. */
  traceIds?: { of(sessionId: string): string } | null;
};

/** Logs one JSON line per event. `destination` defaults to standard output. */
export function createLog(options: LogOptions, destination?: DestinationStream): Log {
  const { traceIds } = options;
  const settings = {
    name: options.name,
    level: options.level ?? 'info',
    redact: { paths: hidden, censor: CENSOR },
    formatters: {
      log: traceIds ? (fields: Fields) => traced(hideWithin(fields), traceIds) : hideWithin,
    },
    serializers: { err: (cause: unknown) => hide(withoutBytes(cause), MAX_DEPTH) },
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
  };
  return pino(settings, destination ?? standardOutput());
}

function standardOutput(): DestinationStream {
  const output = pino.destination(STANDARD_OUTPUT);
  // It may be a file on a full disk. The lines are kept and written with later ones.
  output.on('error', () => {});
  limitLastLines(output);
  return output;
}

type Fields = Record<string, unknown>;

function traced(fields: Fields, traceIds: NonNullable<LogOptions['traceIds']>): Fields {
  const { sessionId } = fields;
  return typeof sessionId === 'string' ? { ...fields, trace_id: traceIds.of(sessionId) } : fields;
}

/** rtc-node's errors quote the request that failed, with the sound in it. */
const BYTES = /\bbytes: \[[\d, ]*\]/g;

const hideBytes = (text: string): string => text.replaceAll(BYTES, `bytes: ${CENSOR}`);

/** Anything may be thrown, and `err` may be null. */
function withoutBytes(cause: unknown): unknown {
  if (typeof cause === 'string') return hideBytes(cause);
  const fields = stdSerializers.err(cause as Error);
  if (!(fields instanceof Object) || fields === cause) return cause;
  return { ...fields, message: hideBytes(fields.message), stack: hideBytes(fields.stack) };
}

/** Fields with a pino serializer of their own. */
const serialized = new Set(['err', 'req', 'res']);

/** Wildcard paths of pino do the same, but take ten times as long as the line itself. */
function hideWithin(fields: Fields): Fields {
  let safeFields = fields;
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value !== 'object' || serialized.has(name)) continue;
    const safe = hide(value, MAX_DEPTH);
    if (safe === value) continue;
    if (safeFields === fields) safeFields = { ...fields };
    safeFields[name] = safe;
  }
  return safeFields;
}

/** Returns the same value if it contains nothing to hide. */
function hide(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null || depth === 0) return value;
  const within = Object.entries(value);
  const safe = within.map(([name, inner]) => [
    name,
    hiddenWithin.has(name) ? CENSOR : hide(inner, depth - 1),
  ]);
  if (safe.every(([, inner], i) => inner === within[i]?.[1])) return value;
  return Array.isArray(value) ? safe.map(([, inner]) => inner) : Object.fromEntries(safe);
}
