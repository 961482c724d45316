import { TroupeError } from './errors.ts';
import { realSurroundings, type Surroundings } from './surroundings.ts';
import { Transport } from './transport.ts';

export type TroupeOptions = {
  /** Default: the environment variable TROUPE_API_KEY. */
  apiKey?: string;
  /** Address of the service. Default: TROUPE_URL, or http://127.0.0.1:8080. */
  baseUrl?: string;
  /** More tries after a failed one. Default: 2. */
  maxRetries?: number;
  /** For one answer; of files and events, for its head. Default: 60,000. */
  timeoutMs?: number;
  /** Sent with every request. */
  headers?: Record<string, string>;
  fetch?: typeof fetch;
};

const DEFAULT_URL = 'http://127.0.0.1:8080';

/** Throws without an API key. */
export function openTransport(
  options: TroupeOptions,
  around: Surroundings = realSurroundings,
): Transport {
  const apiKey = options.apiKey ?? environment('TROUPE_API_KEY');
  if (!apiKey) {
    throw new TroupeError('An API key is required: pass `apiKey`, or set TROUPE_API_KEY.');
  }
  return new Transport(
    {
      baseUrl: options.baseUrl ?? environment('TROUPE_URL') ?? DEFAULT_URL,
      maxRetries: options.maxRetries ?? 2,
      timeoutMs: options.timeoutMs ?? 60_000,
      headers: { 'x-api-key': apiKey, ...options.headers },
    },
    { ...around, ...(options.fetch && { fetch: options.fetch }) },
  );
}

/** Undefined in browsers, which have no `process`. */
function environment(name: string): string | undefined {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
  return process?.env?.[name] || undefined;
}
