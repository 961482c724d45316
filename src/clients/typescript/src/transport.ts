/* Sends requests: address, key, time limit and retries. The resources describe their requests. */
import { ConnectionError, errorOf, RedirectError, TimeoutError, TroupeError } from './errors.ts';
import { Pages, type Page } from './pages.ts';
import type { RequestOptions } from './request-options.ts';
import { mayRetry, retryDelayMs } from './retries.ts';
import { sessionEvents, type SessionEvents, type StreamOptions } from './session-events.ts';
import { sleep, type Surroundings } from './surroundings.ts';
import { VERSION } from './version.ts';

export type Query = Record<string, string | number | boolean | null | undefined>;

export type RequestSpec = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: string;
  query?: object;
  body?: unknown;
  /** Default: JSON. */
  bodyType?: 'json' | 'form' | 'bytes';
  /** Whether the operation takes an Idempotency-Key. */
  takesKey?: boolean;
};

export type Settings = {
  baseUrl: string;
  maxRetries: number;
  timeoutMs: number;
  /** With the credentials. */
  headers: Record<string, string>;
};

export class Transport {
  readonly #settings: Settings;
  readonly #around: Surroundings;

  constructor(settings: Settings, around: Surroundings) {
    this.#settings = settings;
    this.#around = around;
  }

  json<Body>(spec: RequestSpec, options: RequestOptions = {}): Promise<Body> {
    return this.#send(spec, options, (response) => response.json() as Promise<Body>);
  }

  nothing(spec: RequestSpec, options: RequestOptions = {}): Promise<void> {
    return this.#send(spec, options, async ({ body }) => body?.cancel());
  }

  /** The answer as it is, for bodies that are not JSON. */
  raw(spec: RequestSpec, options: RequestOptions = {}): Promise<Response> {
    return this.#send(spec, options, async (response) => response);
  }

  pages<Item>(spec: RequestSpec, options: RequestOptions = {}): Pages<Item> {
    return new Pages((cursor) =>
      this.json<Page<Item>>(
        { ...spec, query: { ...spec.query, ...(cursor !== null && { cursor }) } },
        options,
      ),
    );
  }

  events(spec: RequestSpec, options: StreamOptions = {}): SessionEvents {
    const open = (signal: AbortSignal) =>
      this.raw(spec, {
        ...options,
        signal,
        headers: { ...options.headers, accept: 'text/event-stream' },
      });
    return sessionEvents(open, this.#around, options);
  }

  /** `read`: takes of the answer what the time limit is for. */
  async #send<Result>(
    spec: RequestSpec,
    options: RequestOptions,
    read: (response: Response) => Promise<Result>,
  ): Promise<Result> {
    const { maxRetries = this.#settings.maxRetries } = options;
    const key = spec.takesKey ? (options.idempotencyKey ?? crypto.randomUUID()) : undefined;
    const isRepeatable = spec.method !== 'POST' || key !== undefined;
    for (let tries = 1; ; tries += 1) {
      const outcome = await this.#try(spec, options, key, read);
      if ('result' in outcome) return outcome.result;
      const { error, status, retryAfter } = outcome;
      if (tries > maxRetries || !mayRetry(status, isRepeatable)) throw error;
      const { now, random } = this.#around;
      const delay = retryDelayMs(tries, { retryAfter, now: now(), random: random() });
      if (delay === null) throw error;
      await sleep(this.#around, delay, options.signal);
    }
  }

  async #try<Result>(
    spec: RequestSpec,
    { signal, timeoutMs = this.#settings.timeoutMs, headers }: RequestOptions,
    key: string | undefined,
    read: (response: Response) => Promise<Result>,
  ): Promise<{ result: Result } | Failure> {
    signal?.throwIfAborted();
    const limit = new AbortController();
    const cancel = this.#around.after(timeoutMs, () => limit.abort());
    const { body, contentType } = encoded(spec);
    const url = this.#url(spec);
    const request = { method: spec.method, path: spec.path };
    let response: Response | undefined;
    try {
      response = await this.#around.fetch(url, {
        method: spec.method,
        headers: {
          accept: 'application/json',
          'user-agent': `troupe-sdk-typescript/${VERSION}`,
          ...(contentType !== undefined && { 'content-type': contentType }),
          ...(key !== undefined && { 'idempotency-key': key }),
          ...this.#settings.headers,
          ...headers,
        },
        ...(body !== undefined && { body }),
        // Following one would send the key elsewhere, and turn a POST into a GET.
        redirect: 'manual',
        signal: signal ? AbortSignal.any([signal, limit.signal]) : limit.signal,
      });
      if (response.ok) return { result: await read(response) };
      return {
        error: isRedirect(response)
          ? new RedirectError(locationOf(response, url), { request })
          : await errorOf(response, url, request),
        status: response.status,
        retryAfter: response.headers.get('retry-after'),
      };
    } catch (cause) {
      signal?.throwIfAborted();
      const problem = response
        ? 'The answer broke off or is not JSON'
        : 'The service cannot be reached';
      const error = limit.signal.aborted
        ? new TimeoutError(`No answer within ${timeoutMs} ms.`, { cause, request })
        : new ConnectionError(`${problem}: ${reasonOf(cause)}`, { cause, request });
      // A repeat would get the same answer, which is not JSON.
      const status = cause instanceof SyntaxError ? (response?.status ?? null) : null;
      return { error, status, retryAfter: null };
    } finally {
      cancel();
    }
  }

  #url({ path, query = {} }: RequestSpec): string {
    const url = new URL(this.#settings.baseUrl.replace(/\/+$/, '') + path);
    for (const [name, value] of Object.entries(query as Query)) {
      if (value !== undefined && value !== null) url.searchParams.set(name, String(value));
    }
    return url.href;
  }
}

type Failure = { error: TroupeError; status: number | null; retryAfter: string | null };

/** A part of a path. An empty id would turn the request into another one. */
export function segment(id: string): string {
  if (id === '') throw new TroupeError('The id is empty.');
  return encodeURIComponent(id);
}

/** Browsers hide where it leads: the status is then 0. */
const isRedirect = ({ ok, status }: Response): boolean => !ok && status < 400;

function locationOf({ headers }: Response, url: string): string | undefined {
  const location = headers.get('location');
  if (location === null) return undefined;
  return URL.canParse(location, url) ? new URL(location, url).href : location;
}

/** Node's fetch says only "fetch failed". Its cause says why, or has only a code. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (!(cause instanceof Error)) return String(cause);
  return cause.message || ('code' in cause ? String(cause.code) : cause.name);
}

function encoded({ body, bodyType = 'json' }: RequestSpec): {
  body?: BodyInit;
  contentType?: string;
} {
  if (body === undefined) return {};
  switch (bodyType) {
    case 'json':
      return { body: JSON.stringify(body), contentType: 'application/json' };
    case 'bytes':
      return { body: body as BodyInit, contentType: 'application/octet-stream' };
    // fetch adds the content type with its boundary.
    case 'form':
      return { body: toForm(body as FormFields) };
  }
}

type FormFields = Record<string, string | Blob | undefined>;

function toForm(fields: FormFields): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined) continue;
    if (value instanceof Blob) form.set(name, value, name);
    else form.set(name, value);
  }
  return form;
}
