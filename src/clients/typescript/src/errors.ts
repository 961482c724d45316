/** Method and path of a request, without its query. */
export type FailedRequest = { method: string; path: string };

export type TroupeErrorOptions = ErrorOptions & { request?: FailedRequest | undefined };

/** Any error of this package. */
export class TroupeError extends Error {
  override readonly name: string = 'TroupeError';
  /** The request that failed. Undefined if it was not a single one. */
  readonly request: FailedRequest | undefined;

  constructor(message: string, { request, ...options }: TroupeErrorOptions = {}) {
    super(message, options);
    this.request = request;
  }
}

/** The service could not be reached, or the connection broke. */
export class ConnectionError extends TroupeError {
  override readonly name: string = 'ConnectionError';
}

/** No answer within `timeoutMs`. */
export class TimeoutError extends ConnectionError {
  override readonly name: string = 'TimeoutError';
}

/** The service redirects. Redirects are not followed: the API key would be sent elsewhere. */
export class RedirectError extends TroupeError {
  override readonly name: string = 'RedirectError';
  /** Where it leads. Undefined in browsers, which hide it. */
  readonly location: string | undefined;

  constructor(location: string | undefined, options?: TroupeErrorOptions) {
    const target = location ?? 'another address';
    super(`The service redirects to ${target}. Set \`baseUrl\` to its final address.`, options);
    this.location = location;
  }
}

/** A webhook was not sent by the service, or not lately. */
export class WebhookVerificationError extends TroupeError {
  override readonly name: string = 'WebhookVerificationError';
}

/** An error in one field. `loc`: for example `['body', 'avatar_id']`. */
export type Problem = { type: string; loc: (string | number)[]; msg: string; input: unknown };

export type ErrorBody = { detail?: string | Problem[] } & Record<string, unknown>;

/** The service refused the request. */
export class APIError extends TroupeError {
  override readonly name: string = 'APIError';
  readonly status: number;
  /** Stable name of the error; absent from services before it was introduced. */
  readonly code: string | undefined;
  /** The advice of the service. */
  readonly advice: string | undefined;
  /** Address of the documentation about `code`. */
  readonly docs: string | undefined;
  /** Invalid fields; empty unless the status is 422. */
  readonly problems: Problem[];
  /** Names the request in the log of the service. */
  readonly requestId: string | undefined;
  readonly headers: Headers;
  readonly body: ErrorBody;
  /** A proxy in front of the service has answered: errors of the service have a `detail`. */
  readonly isFromProxy: boolean;

  /** `url`: of the request. */
  constructor(
    { status, headers }: Response,
    body: ErrorBody,
    url: string,
    { request, isFromProxy = false }: { request?: FailedRequest; isFromProxy?: boolean } = {},
  ) {
    super(`${status} ${textOf(body.detail)}`, { request });
    this.status = status;
    this.isFromProxy = isFromProxy;
    this.body = body;
    this.headers = headers;
    this.code = typeof body['code'] === 'string' ? body['code'] : undefined;
    this.advice = typeof body['advice'] === 'string' ? body['advice'] : undefined;
    this.docs = typeof body['docs'] === 'string' ? new URL(body['docs'], url).href : undefined;
    this.problems = Array.isArray(body.detail) ? body.detail : [];
    this.requestId = headers.get('x-request-id') ?? undefined;
  }
}

export class BadRequestError extends APIError {
  override readonly name = 'BadRequestError';
}
export class AuthenticationError extends APIError {
  override readonly name = 'AuthenticationError';
}
export class PaymentRequiredError extends APIError {
  override readonly name = 'PaymentRequiredError';
}
export class PermissionDeniedError extends APIError {
  override readonly name = 'PermissionDeniedError';
}
export class NotFoundError extends APIError {
  override readonly name = 'NotFoundError';
}
export class ConflictError extends APIError {
  override readonly name = 'ConflictError';
}
export class ValidationError extends APIError {
  override readonly name = 'ValidationError';
}
export class RateLimitError extends APIError {
  override readonly name = 'RateLimitError';
}
/** Status 503: every avatar worker is busy, or a part of the service is away. */
export class UnavailableError extends APIError {
  override readonly name = 'UnavailableError';
}
/** Any other 5xx. */
export class ServerError extends APIError {
  override readonly name = 'ServerError';
}

const byStatus: Record<number, typeof APIError> = {
  400: BadRequestError,
  401: AuthenticationError,
  402: PaymentRequiredError,
  403: PermissionDeniedError,
  404: NotFoundError,
  409: ConflictError,
  422: ValidationError,
  429: RateLimitError,
  503: UnavailableError,
};

/** `url`: of the request; the response may not know it. Rejects if the body breaks off. */
export async function errorOf(
  response: Response,
  url: string,
  request: FailedRequest,
): Promise<APIError> {
  const text = await response.text();
  const body = parse(text);
  const fallback = response.status >= 500 ? ServerError : APIError;
  return new (byStatus[response.status] ?? fallback)(
    response,
    body ?? { detail: text.slice(0, 500) },
    url,
    { request, isFromProxy: body?.detail === undefined },
  );
}

/** Null: no JSON object. */
function parse(text: string): ErrorBody | null {
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === 'object' ? (body as ErrorBody | null) : null;
  } catch {
    return null;
  }
}

/** Another server may leave out parts. */
const textOf = (detail: ErrorBody['detail']): string =>
  Array.isArray(detail)
    ? detail.map(({ loc = [], msg }: Partial<Problem>) => `${loc.join('.')}: ${msg}`).join('; ')
    : (detail ?? '');
