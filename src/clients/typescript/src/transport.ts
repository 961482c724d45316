/* Sends requests: address, key, time limit and retries. The resources describe their requests. */
import { ConnectionError, errorOf, TimeoutError, TroupeError } from './errors.ts';
import { Pages, type Page } from './pages.ts';
import { mayRetry, retryDelayMs } from './retries.ts';
import { sessionEvents, type SessionEvents } from './session-events.ts';
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

/** Settings of one request, instead of those of the client. */
export type RequestOptions = {
  signal?: AbortSignal;
  timeoutMs?: number;
  maxRetries?: number;
  /** A repeat with the same key gets the answer of the first request. Default: a random one. */
  idempotencyKey?: string;
  headers?: Record<string, string>;
};

export type Settings = {
  apiKey: string;
  baseUrl: string;
  maxRetries: number;
  timeoutMs: number;
  headers: Record<string, string>;
};

export class Transport {
  readonly #settings: Settings;
  readonly #around: Surroundings;

  constructor(settings: Settings, around: Surroundings) {
    this.#settings = settings;
    this.#around = around;
  }

  async json<Body>(spec: RequestSpec, options: RequestOptions = {}): Promise<Body> {
    const response = await this.send(spec, options);
    return (await readBody(response.json())) as Body;
  }

  async nothing(spec: RequestSpec, options: RequestOptions = {}): Promise<void> {
    const response = await this.send(spec, options);
    await response.body?.cancel();
  }

  /** The answer as it is, for bodies that are not JSON. */
  raw(spec: RequestSpec, options: RequestOptions = {}): Promise<Response> {
    return this.send(spec, options);
  }

  pages<Item>(spec: RequestSpec, options: RequestOptions = {}): Pages<Item> {
    return new Pages((cursor) =>
      this.json<Page<Item>>(
        { ...spec, query: { ...spec.query, ...(cursor !== null && { cursor }) } },
        options,
      ),
    );
  }

  events(spec: RequestSpec, options: RequestOptions = {}): SessionEvents {
    const open = (signal: AbortSignal) =>
      this.send(spec, {
        ...options,
        signal,
        headers: { ...options.headers, accept: 'text/event-stream' },
      });
    return sessionEvents(open, this.#around, options.signal);
  }

  async send(spec: RequestSpec, options: RequestOptions): Promise<Response> {
    const { maxRetries = this.#settings.maxRetries } = options;
    const key = spec.takesKey ? (options.idempotencyKey ?? crypto.randomUUID()) : undefined;
    const isRepeatable = spec.method !== 'POST' || key !== undefined;
    for (let tries = 1; ; tries += 1) {
      const outcome = await this.#try(spec, options, key);
      if (outcome instanceof Response) return outcome;
      const { error, status, retryAfter } = outcome;
      if (tries > maxRetries || !mayRetry(status, isRepeatable)) throw error;
      const { now, random } = this.#around;
      const delay = retryDelayMs(tries, { retryAfter, now: now(), random: random() });
      if (delay === null) throw error;
      await sleep(this.#around, delay, options.signal);
    }
  }

  async #try(
    spec: RequestSpec,
    { signal, timeoutMs = this.#settings.timeoutMs, headers }: RequestOptions,
    key: string | undefined,
  ): Promise<Response | Failure> {
    signal?.throwIfAborted();
    const limit = new AbortController();
    // Ends with the head of the answer: bodies may be long, such as an export or events.
    const cancel = this.#around.after(timeoutMs, () => limit.abort());
    const { body, contentType } = encoded(spec);
    const url = this.#url(spec);
    let response: Response;
    try {
      response = await this.#around.fetch(url, {
        method: spec.method,
        headers: {
          accept: 'application/json',
          'user-agent': `troupe-sdk-typescript/${VERSION}`,
          'x-api-key': this.#settings.apiKey,
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
    } catch (cause) {
      signal?.throwIfAborted();
      return { error: toConnectionError(cause, limit, timeoutMs), status: null, retryAfter: null };
    } finally {
      cancel();
    }
    if (response.ok) return response;
    const { status } = response;
    return {
      error: isRedirect(response) ? redirected(response) : await errorOf(response, url),
      status,
      retryAfter: response.headers.get('retry-after'),
    };
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

function toConnectionError(
  cause: unknown,
  limit: AbortController,
  timeoutMs: number,
): ConnectionError {
  if (limit.signal.aborted) return new TimeoutError(`No answer within ${timeoutMs} ms.`, { cause });
  const reason = cause instanceof Error ? reasonOf(cause) : String(cause);
  return new ConnectionError(`The service cannot be reached: ${reason}`, { cause });
}

/** Browsers hide where it leads: the status is then 0. */
const isRedirect = ({ ok, status }: Response): boolean => !ok && status < 400;

const redirected = ({ headers }: Response): TroupeError =>
  new TroupeError(
    `The service redirects to ${headers.get('location') ?? 'another address'}. Set \`baseUrl\` to its final address.`,
  );

/** Node's fetch says only "fetch failed"; its cause says why. */
const reasonOf = (error: Error): string =>
  error.cause instanceof Error && error.cause.message ? error.cause.message : error.message;

async function readBody<Body>(reading: Promise<Body>): Promise<Body> {
  try {
    return await reading;
  } catch (cause) {
    throw new ConnectionError('The answer broke off or is not JSON.', { cause });
  }
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
