import { DEFAULT_PORT } from '#shared/network/default-port.ts';
import { SOFTWARE_VERSION } from '#shared/process/version.ts';
import type { CliContext } from './cli-context.ts';
import { CliError, type ExitCode } from './exit-codes.ts';

/*
 * The public HTTP API of a service. Its address: --url, TROUPE_URL, or the service of this machine
 * at PORT. Each request has a time limit; errors become one sentence with the exit code that
 * scripts can tell apart.
 */
type Method = 'GET' | 'POST' | 'DELETE';

type Call = {
  query?: Record<string, string | undefined>;
  /** Sent as JSON. */
  body?: object;
  /** Sent as it is. */
  raw?: { body: BodyInit; contentType?: string };
  signal?: AbortSignal;
  /** 0: no limit, for streams. */
  timeoutMs?: number;
};

export type Page<Item> = { data: Item[]; has_more: boolean; next_cursor?: string };

export type Api = {
  readonly address: string;
  /** The answer as JSON. */
  call<Answer>(method: Method, path: string, call?: Call): Promise<Answer>;
  /** The answer of a request that was accepted. */
  send(method: Method, path: string, call?: Call): Promise<Response>;
};

const TIMEOUT_MS = 30_000;

export const addressOf = ({ env, options }: CliContext): string => {
  const address = options.url ?? env['TROUPE_URL'];
  const local = `http://127.0.0.1:${env['PORT'] || DEFAULT_PORT}`;
  const serviceAddress = (address || local).replace(/\/+$/, '');
  if (!/^https?:\/\//.test(serviceAddress) || !URL.canParse(serviceAddress)) {
    throw new CliError(
      `The address '${serviceAddress}' is not one of a service: write it like https://troupe.example.com in --url or TROUPE_URL.`,
      2,
    );
  }
  return serviceAddress;
};

/** With the API key. */
export function serviceApi(context: CliContext): Api {
  const key = context.options.key ?? context.env['TROUPE_API_KEY'];
  if (!key) {
    throw new CliError(
      "There is no API key: set TROUPE_API_KEY, put it into .env, or pass --key. On the service's machine, `troupe key create --name cli` makes one.",
      4,
    );
  }
  return apiAt(context, { 'x-api-key': key });
}

/** With the admin password. */
export function adminApi(context: CliContext): Api {
  const password = context.env['TROUPE_ADMIN_PASSWORD'];
  if (!password) {
    throw new CliError(
      "Keys of another machine's service need TROUPE_ADMIN_PASSWORD, in the environment or in .env; without --url and TROUPE_URL, the keys of this machine are meant.",
      4,
    );
  }
  return apiAt(context, { authorization: `Bearer ${password}` });
}

/** Without a key, for what everyone may ask. */
export const openApi = (context: CliContext): Api => apiAt(context, {});

function apiAt(context: CliContext, credentials: Record<string, string>): Api {
  const address = addressOf(context);

  const unreachable = (cause: unknown): CliError => {
    context.signal.throwIfAborted();
    return new CliError(
      `The service at ${address} does not answer (${reasonOf(cause)}): start it with \`troupe start\`, or correct --url or TROUPE_URL.`,
      3,
      { cause },
    );
  };
  const textOf = (response: Response): Promise<string> =>
    response.text().catch((cause: unknown) => {
      throw unreachable(cause);
    });

  const send: Api['send'] = async (method, path, call = {}) => {
    const { query = {}, body, raw, signal, timeoutMs = TIMEOUT_MS } = call;
    const url = new URL(`${address}${path}`);
    for (const [name, value] of Object.entries(query))
      if (value !== undefined) url.searchParams.set(name, value);
    const contentType = body ? 'application/json' : raw?.contentType;
    const limits = [
      context.signal,
      ...(signal ? [signal] : []),
      ...(timeoutMs > 0 ? [AbortSignal.timeout(timeoutMs)] : []),
    ];
    let response: Response;
    try {
      response = await fetch(url, {
        method,
        headers: {
          'user-agent': `troupe-cli/${SOFTWARE_VERSION}`,
          ...credentials,
          ...(contentType && { 'content-type': contentType }),
        },
        ...(body && { body: JSON.stringify(body) }),
        ...(raw && { body: raw.body, duplex: 'half' }),
        // Following one would send the key elsewhere, and turn a POST into a GET.
        redirect: 'manual',
        signal: AbortSignal.any(limits),
      });
    } catch (cause) {
      throw unreachable(cause);
    }
    if (response.ok) return response;
    const text = await textOf(response);
    const location = response.headers.get('location');
    throw response.status < 400 && location !== null
      ? redirected(address, new URL(location, url).href, path)
      : refusal(response, `${method} ${path}`, text);
  };

  return {
    address,
    send,
    async call<Answer>(method: Method, path: string, call?: Call) {
      const response = await send(method, path, call);
      if (response.status === 204) return null as Answer;
      const text = await textOf(response);
      try {
        return JSON.parse(text) as Answer;
      } catch (cause) {
        throw new CliError(
          `${address} is not a Troupe service (its answer is no JSON): correct --url or TROUPE_URL.`,
          3,
          { cause },
        );
      }
    },
  };
}

/** All pages up to `limit` items. */
export async function listAll<Item>(
  api: Api,
  path: string,
  { limit, query }: { limit: number; query?: Call['query'] },
): Promise<Item[]> {
  const items: Item[] = [];
  let cursor: string | undefined;
  do {
    const size = String(Math.min(50, limit - items.length));
    const page = await api.call<Page<Item>>('GET', path, {
      query: { ...query, limit: size, cursor },
    });
    items.push(...page.data);
    cursor = page.has_more ? page.next_cursor : undefined;
  } while (cursor !== undefined && items.length < limit);
  return items;
}

const ADVICE: Record<number, string> = {
  401: 'Check TROUPE_API_KEY, --key or TROUPE_ADMIN_PASSWORD.',
  429: 'Try again shortly.',
};

const NEEDS_OPERATOR =
  'It needs a key of the scope operator: `troupe key create --name ops --scope operator` makes one.';

function redirected(from: string, to: string, path: string): CliError {
  const address = to.includes(path) ? to.slice(0, to.indexOf(path)) : to;
  return new CliError(
    `The service at ${from} redirects to ${address}: set --url or TROUPE_URL to its final address.`,
    2,
  );
}

function refusal(response: Response, request: string, text: string): CliError {
  const detail = detailOf(text);
  if (detail === null && response.status >= 502) {
    const { origin } = new URL(response.url);
    return new CliError(
      `A proxy at ${origin} answers ${response.status}: the service behind it is down or starts; try again.`,
      3,
    );
  }
  const isForOperators = response.status === 403 && request.includes(' /v1/fleet/');
  const advice = isForOperators ? NEEDS_OPERATOR : ADVICE[response.status];
  const exitCode: ExitCode =
    { 401: 4 as const, 403: 4 as const, 404: 5 as const }[response.status] ?? 1;
  const message = detail ?? `${request} answered ${response.status}.`;
  return new CliError(
    advice === undefined || detail?.includes('Please') ? message : `${message} ${advice}`,
    exitCode,
  );
}

type Problem = { loc?: (string | number)[]; msg?: string };

/**
 * `detail` is a sentence, or a list of problems. Null: an answer of something else, such as a
 * proxy.
 */
function detailOf(text: string): string | null {
  try {
    const { detail } = JSON.parse(text) as { detail?: string | Problem[] };
    if (!Array.isArray(detail)) return detail ?? null;
    return `${detail.map(({ loc = [], msg }) => `${loc.slice(1).join('.')}: ${msg}`).join('; ')}.`;
  } catch {
    return null;
  }
}

/** `fetch` says only `fetch failed`; the reason is its cause. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'TimeoutError') return 'no answer in time';
  const { cause } = error;
  return cause instanceof Error && cause.message !== '' ? cause.message : error.message;
}
