import { fetchProblem } from '#shared/network/fetch-problem.ts';
import {
  APIError,
  ConnectionError,
  RedirectError,
  TimeoutError,
  type Problem,
  type TroupeError,
} from '../clients/typescript/src/errors.ts';
import { addressOf } from './api-client.ts';
import type { CliContext } from './cli-context.ts';
import { CliError, type ExitCode } from './exit-codes.ts';

/** One sentence, with the exit code that scripts can tell apart. */
export function toCliError(error: TroupeError, context: CliContext): CliError {
  const address = addressOf(context);
  if (error instanceof APIError) return refusal(error, address);
  if (error instanceof RedirectError) return redirected(error, address);
  if (!(error instanceof ConnectionError)) return new CliError(error.message, 2, { cause: error });
  return new CliError(connectionProblem(error, address), 3, { cause: error });
}

function connectionProblem(error: ConnectionError, address: string): string {
  // Streams were opened, and broke again and again.
  if (!error.request) return 'The service closed the event stream too early.';
  if (error.cause instanceof SyntaxError)
    return `${address} is not a Troupe service (its answer is not JSON): correct --url or TROUPE_URL.`;
  const reason = error instanceof TimeoutError ? 'no answer in time' : fetchProblem(error.cause);
  return `The service at ${address} does not answer (${reason}): start it with \`troupe start\`, or correct --url or TROUPE_URL.`;
}

function redirected(error: RedirectError, from: string): CliError {
  const { location = 'another address', request } = error;
  const pathAt = location.indexOf(request!.path);
  const address = pathAt < 0 ? location : location.slice(0, pathAt);
  return new CliError(
    `The service at ${from} redirects to ${address}: set --url or TROUPE_URL to its final address.`,
    2,
    { cause: error },
  );
}

const ADVICE: Record<number, string> = {
  401: 'Check TROUPE_API_KEY, --key or TROUPE_ADMIN_PASSWORD.',
  429: 'Try again shortly.',
};

const NEEDS_OPERATOR =
  'It needs a key of the scope operator: `troupe key create --name ops --scope operator` makes one.';

const EXIT_CODES: Record<number, ExitCode> = { 401: 4, 403: 4, 404: 5 };

function refusal(error: APIError, address: string): CliError {
  const { status, isFromProxy } = error;
  const { method, path } = error.request!;
  if (isFromProxy && status >= 502) {
    const { origin } = new URL(address);
    return new CliError(
      `A proxy at ${origin} answers ${status}: the service behind it is down or starting; try again.`,
      3,
      { cause: error },
    );
  }
  const isForOperators = status === 403 && path.startsWith('/v1/fleet/');
  const advice = isForOperators ? NEEDS_OPERATOR : ADVICE[status];
  const detail = detailOf(error);
  const message = detail ?? `${method} ${path} answered ${status}.`;
  return new CliError(
    advice === undefined || detail?.includes('Please') ? message : `${message} ${advice}`,
    EXIT_CODES[status] ?? 1,
    { cause: error },
  );
}

/** `detail` is a sentence, or a list of problems. */
function detailOf({ body: { detail }, isFromProxy }: APIError): string | undefined {
  if (isFromProxy) return undefined;
  if (!Array.isArray(detail)) return detail;
  const problems = detail.map(
    ({ loc = [], msg }: Partial<Problem>) => `${loc.slice(1).join('.')}: ${msg}`,
  );
  return `${problems.join('; ')}.`;
}
