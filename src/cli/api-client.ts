import { DEFAULT_PORT } from '#shared/network/default-port.ts';
import { SOFTWARE_VERSION } from '#shared/process/version.ts';
import type { Troupe } from '../clients/typescript/src/generated/troupe.ts';
import type { Pages } from '../clients/typescript/src/pages.ts';
import type { Surroundings } from '../clients/typescript/src/surroundings.ts';
import type { Transport } from '../clients/typescript/src/transport.ts';
import type { CliContext } from './cli-context.ts';
import { CliError } from './exit-codes.ts';

/*
 * Commands ask the HTTP API through our own SDK, which is loaded only when a command needs it. The
 * address is --url, TROUPE_URL, or the service of this machine at PORT. `toCliError` explains the
 * errors of the SDK.
 */
const TIMEOUT_MS = 30_000;

/** The service refuses to list more at once. */
export const MAX_PAGE = 50;

/** The newest items of a list, at most `limit`. */
export const listNewest = <Item>(
  limit: number,
  list: (query: { limit: number }) => Pages<Item>,
): Promise<Item[]> => list({ limit: Math.min(limit, MAX_PAGE) }).toArray({ max: limit });

export const addressOf = ({ env, options }: CliContext): string => {
  const address = options.url ?? env['TROUPE_URL'];
  const local = `http://127.0.0.1:${env['PORT'] || DEFAULT_PORT}`;
  const serviceAddress = (address || local).replace(/\/+$/, '');
  if (!/^https?:\/\//.test(serviceAddress) || !URL.canParse(serviceAddress)) {
    throw new CliError(
      `'${serviceAddress}' is not a service address: write it like https://troupe.example.com in --url or TROUPE_URL.`,
      2,
    );
  }
  return serviceAddress;
};

type Fetch = Surroundings['fetch'];

/** With the API key. */
export async function serviceApi(context: CliContext, send: Fetch = fetch): Promise<Troupe> {
  const apiKey = context.options.key ?? context.env['TROUPE_API_KEY'];
  if (!apiKey) {
    throw new CliError(
      "There is no API key: set TROUPE_API_KEY, put it into .env, or pass --key. On the service's machine, `troupe key create --name cli` makes one.",
      4,
    );
  }
  const settings = settingsOf(context, {});
  const { Troupe } = await import('../clients/typescript/src/generated/troupe.ts');
  return new Troupe({ apiKey, ...settings }, surroundingsOf(context, send));
}

/**
 * With the admin password; throws `problem` without one. The SDK has no operations of the admin
 * API.
 */
export async function adminApi(context: CliContext, problem: string): Promise<Transport> {
  const password = context.env['TROUPE_ADMIN_PASSWORD'];
  if (!password) throw new CliError(problem, 4);
  const settings = settingsOf(context, { authorization: `Bearer ${password}` });
  const { Transport } = await import('../clients/typescript/src/transport.ts');
  return new Transport(settings, surroundingsOf(context, fetch));
}

const settingsOf = (context: CliContext, credentials: Record<string, string>) => ({
  baseUrl: addressOf(context),
  // A person or a script waits: they learn at once what is wrong.
  maxRetries: 0,
  timeoutMs: TIMEOUT_MS,
  headers: { 'user-agent': `troupe-cli/${SOFTWARE_VERSION}`, ...credentials },
});

const surroundingsOf = ({ clock, signal }: CliContext, send: Fetch): Surroundings => ({
  fetch: (url, init) =>
    send(url, {
      ...init,
      signal: AbortSignal.any([signal, ...(init?.signal ? [init.signal] : [])]),
    }),
  now: () => clock.now(),
  random: () => Math.random(),
  after: (ms, run) => clock.after(ms, run),
});
