export const FAULTS = {
  invalid_parameter: { status: 400, detail: 'A parameter is invalid.' },
  api_key_required: { status: 401, detail: 'API key is required.' },
  api_key_invalid: { status: 401, detail: 'Invalid API key.' },
  admin_password_required: { status: 401, detail: 'The admin password is required.' },
  admin_password_invalid: { status: 401, detail: 'Invalid admin password.' },
  usage_exhausted: { status: 402, detail: 'Usage limit exceeded. Please upgrade your plan.' },
  forbidden: { status: 403, detail: 'You do not have permission to access this resource.' },
  not_in_plan: {
    status: 403,
    detail: 'This feature is not available on your current plan. Please upgrade your plan.',
  },
  not_found: { status: 404, detail: 'The requested resource was not found.' },
  method_not_allowed: { status: 405, detail: 'Method not allowed.' },
  conflict: { status: 409, detail: 'The request conflicts with an earlier one.' },
  retired: { status: 410, detail: 'This endpoint has been retired.' },
  too_large: { status: 413, detail: 'The request body is too large.' },
  unsupported_media_type: {
    status: 415,
    detail: 'Send the body as JSON, with content-type: application/json.',
  },
  invalid_request: { status: 422, detail: 'The request is not valid.' },
  concurrency_limit: {
    status: 429,
    detail:
      'You have reached your concurrency limit. Please upgrade your plan or stop other ongoing sessions.',
  },
  usage_limit: { status: 429, detail: 'Usage limit exceeded. Please upgrade your plan.' },
  rate_limit: { status: 429, detail: 'Too many requests. Please try again shortly.' },
  not_available: {
    status: 501,
    detail: 'This capability is not available for this type of account.',
  },
  at_capacity: { status: 503, detail: 'Every avatar worker is busy. Please try again shortly.' },
  records_away: {
    status: 503,
    detail: 'The database is unavailable. Please try again shortly.',
  },
  storage_full: {
    status: 507,
    detail:
      'The disk of the service is almost full. Delete what you no longer need, or try again later.',
  },
} as const;

export type FaultName = keyof typeof FAULTS;

/** One entry of the list form of `detail` in a 422. */
export type Problem = { type: string; loc: (string | number)[]; msg: string; input: unknown };

type FaultOptions = ErrorOptions & {
  /** Replaces the default detail. */
  detail?: string;
  /** Sent as `detail` in list form. */
  problems?: Problem[];
  retryAfterSeconds?: number;
  /** More fields of the response, beside `detail`. */
  about?: Record<string, string | string[]>;
};

/** An error the caller can act on. All other errors are bugs and answer 500. */
export class Fault extends Error {
  override readonly name = 'Fault';
  readonly fault: FaultName;
  readonly status: number;
  readonly problems: Problem[] | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly about: Record<string, string | string[]>;

  constructor(fault: FaultName, options: FaultOptions = {}) {
    super(options.detail ?? FAULTS[fault].detail, options);
    this.fault = fault;
    this.status = FAULTS[fault].status;
    this.problems = options.problems;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.about = options.about ?? {};
  }
}

/** A 422 about one field of the request. `loc`: for example `['body', 'token']`. */
export const problem = (
  type: string,
  loc: (string | number)[],
  msg: string,
  input: unknown,
): Fault => new Fault('invalid_request', { problems: [{ type, loc, msg, input }] });
