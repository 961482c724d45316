import { pino, stdSerializers, type DestinationStream, type Logger } from 'pino';

export type Log = Logger;

/** What must never be read in a log, wherever it stands in the fields. */
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

/** Lines are gathered for a moment: to write costs more than to make them. What is left is written at the process's exit. */
const STANDARD_OUTPUT = { sync: false, minLength: 4096, periodicFlush: 100 };

/** Errors hold what they were caused by, and that what it was about. */
const MAX_DEPTH = 5;

/** One JSON line an event: a fixed sentence, values as fields. `destination` is for tests; else standard output. */
export function createLog(
  options: { name: string; level?: string },
  destination?: DestinationStream,
): Log {
  const settings = {
    name: options.name,
    level: options.level ?? 'info',
    redact: { paths: hidden, censor: CENSOR },
    formatters: { log: hideWithin },
    serializers: { err: (error: Error) => hide(stdSerializers.err(error), MAX_DEPTH) },
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
  };
  return pino(settings, destination ?? pino.destination(STANDARD_OUTPUT));
}

/** What a serializer writes. */
const written = new Set(['err', 'req', 'res']);

/** Paths with a `*` would do the same, but look into every value of every line: that takes ten times as long as the line itself. */
function hideWithin(fields: Record<string, unknown>): Record<string, unknown> {
  let shown = fields;
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value !== 'object' || written.has(name)) continue;
    const safe = hide(value, MAX_DEPTH);
    if (safe === value) continue;
    if (shown === fields) shown = { ...fields };
    shown[name] = safe;
  }
  return shown;
}

/** The same value, when there is nothing to hide in it. */
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
