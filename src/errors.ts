/** `advice`: what the caller can do. The names are the stable `code` of the API's errors. */
export const FAULTS = {
  invalid_parameter: {
    status: 400,
    detail: 'A parameter is invalid.',
    advice: 'Correct the parameter that `detail` names.',
  },
  api_key_required: {
    status: 401,
    detail: 'API key is required.',
    advice: 'Send the key as `x-api-key: KEY` or as `Authorization: Bearer KEY`.',
  },
  api_key_invalid: {
    status: 401,
    detail: 'Invalid API key.',
    advice:
      'Check the key for typing errors. If it was revoked or has expired, the operator can create another one: `npm run key -- --name NAME`.',
  },
  credentials_ambiguous: {
    status: 401,
    detail: 'The request has several different credentials.',
    advice:
      'Send one key, as `x-api-key: KEY` or as `Authorization: Bearer KEY`. In a browser that is signed in at /console, sign out, or use a key of the same account.',
  },
  sign_in_required: {
    status: 401,
    detail: 'Sign in first.',
    advice: 'Sign in at /console. The sign-in of this browser may have ended.',
  },
  sign_in_failed: {
    status: 401,
    detail: 'The name or the password is wrong.',
    advice: 'Check both. The operator can make a sign-in link: `npm run key -- console`.',
  },
  admin_password_required: {
    status: 401,
    detail: 'The admin password is required.',
    advice: 'Send TROUPE_ADMIN_PASSWORD, or the token of a sign-in, as `Authorization: Bearer`.',
  },
  admin_password_invalid: {
    status: 401,
    detail: 'Invalid admin password.',
    advice: 'Send TROUPE_ADMIN_PASSWORD as the running service has it, or sign in again.',
  },
  usage_exhausted: {
    status: 402,
    detail: 'Usage limit exceeded. Please upgrade your plan.',
    advice:
      'The minutes of this month are used up: the operator can give the account another plan.',
  },
  forbidden: {
    status: 403,
    detail: 'You do not have permission to access this resource.',
    advice:
      'Use a key that may do this: this one is limited, or the resource is reserved for other accounts.',
  },
  not_in_plan: {
    status: 403,
    detail: 'This feature is not available on your current plan. Please upgrade your plan.',
    advice: 'The operator can give the account another plan.',
  },
  not_found: {
    status: 404,
    detail: 'The requested resource was not found.',
    advice:
      'Check the id and the path. Deleted resources and those of other accounts are not found either.',
  },
  method_not_allowed: {
    status: 405,
    detail: 'Method not allowed.',
    advice: 'Use a method that the header Allow lists.',
  },
  conflict: {
    status: 409,
    detail: 'The request conflicts with an earlier one.',
    advice: 'Retrieve the resource and try again, or send a new Idempotency-Key.',
  },
  retired: {
    status: 410,
    detail: 'This endpoint has been retired.',
    advice: 'Use the endpoint that the header Link names.',
  },
  too_large: {
    status: 413,
    detail: 'The request body is too large.',
    advice: 'Send less: the documentation lists the limits.',
  },
  unsupported_media_type: {
    status: 415,
    detail: 'Send the body as JSON, with content-type: application/json.',
    advice: 'Send the body in the content type that `detail` names.',
  },
  invalid_request: {
    status: 422,
    detail: 'The request is not valid.',
    advice: 'Correct the fields in `detail`: `loc` says where, `msg` says what is expected.',
  },
  concurrency_limit: {
    status: 429,
    detail:
      'You have reached your concurrency limit. Please upgrade your plan or stop other ongoing sessions.',
    advice:
      'End a session or wait until one has ended; the operator can give the account another plan.',
  },
  usage_limit: {
    status: 429,
    detail: 'Usage limit exceeded. Please upgrade your plan.',
    advice: 'Wait for the next month; the operator can give the account another plan.',
  },
  budget_reached: {
    status: 429,
    detail: 'The budget for calls of today is used up. Please come back tomorrow.',
    advice:
      'Days are UTC. The owner of the agent can raise its `limits`, and the operator the limits by plan and by address.',
  },
  rate_limit: {
    status: 429,
    detail: 'Too many requests. Please try again shortly.',
    advice: 'Wait as many seconds as the header Retry-After says.',
  },
  not_available: {
    status: 501,
    detail: 'This capability is not available for this type of account.',
    advice: 'Use another account, or do without it.',
  },
  at_capacity: {
    status: 503,
    detail: 'Every avatar worker is busy. Please try again shortly.',
    advice: 'Try again after the seconds in Retry-After; the operator can add workers.',
  },
  records_away: {
    status: 503,
    detail: 'The database is unavailable. Please try again shortly.',
    advice: 'Try again after the seconds in Retry-After; running sessions continue.',
  },
  provider_away: {
    status: 503,
    detail: 'The OpenID provider does not answer. Please try again shortly.',
    advice: 'Try again after the seconds in Retry-After, or sign in with a password.',
  },
  storage_full: {
    status: 507,
    detail:
      'The disk of the service is almost full. Delete what you no longer need, or try again later.',
    advice: 'Delete avatars or knowledge files; the operator can free space on the disk.',
  },
  malformed_path: {
    status: 400,
    detail: 'The path has an escape that cannot be decoded.',
    advice: 'Write a percent sign in a path as %25.',
  },
  unreadable_request: {
    status: 400,
    detail: 'The request could not be read.',
    advice: 'Send well-formed HTTP/1.1 with at most 16 KiB of headers, without a pause.',
  },
  internal_error: {
    status: 500,
    detail: 'An unexpected error occurred.',
    advice:
      'Try again once. The log of the service has the reason, next to the value of x-request-id.',
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
  /** Replaces the default advice. */
  advice?: string;
  /** More fields of the response, beside `detail`. */
  about?: Record<string, string | number | string[]>;
};

/** An error the caller can act on. All other errors are bugs and answer 500. */
export class Fault extends Error {
  override readonly name = 'Fault';
  readonly fault: FaultName;
  readonly status: number;
  readonly problems: Problem[] | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly advice: string;
  readonly about: Record<string, string | number | string[]>;

  constructor(fault: FaultName, options: FaultOptions = {}) {
    super(options.detail ?? FAULTS[fault].detail, options);
    this.fault = fault;
    this.status = FAULTS[fault].status;
    this.problems = options.problems;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.advice = options.advice ?? FAULTS[fault].advice;
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
