import { pino, type DestinationStream, type Logger } from 'pino';

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
const paths = hidden.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]);
const headers = [
  'req.headers["x-api-key"]',
  'req.headers.authorization',
  '*.headers["x-api-key"]',
  '*.headers.authorization',
];

/** One JSON line an event: a fixed sentence, values as fields. `destination` is for tests; else standard output. */
export function createLog(
  options: { name: string; level?: string },
  destination?: DestinationStream,
): Log {
  const settings = {
    name: options.name,
    level: options.level ?? 'info',
    redact: { paths: [...paths, ...headers], censor: '[hidden]' },
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
  };
  return destination ? pino(settings, destination) : pino(settings);
}
