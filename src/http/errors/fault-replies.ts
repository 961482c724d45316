import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { ConnectionError, FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { Fault, FAULTS, type FaultName, type Problem } from '../../errors.ts';
import { isAway } from '../../records/engine/database.ts';
import { Echo } from '../plumbing/validation/echo.ts';
import { toProblems } from '../plumbing/validation/problems.ts';

declare module 'fastify' {
  interface FastifyRequest {
    rejectedFor: string | null;
  }
}

/** `detail` of an error body. */
export type ErrorDetail = string | Problem[];

/** The fields of every error beside `detail`. */
type Explanation = { code: FaultName; advice: string; docs: string };

type ErrorBody = { detail: ErrorDetail } & Explanation & Record<string, unknown>;
type Answer = { status: number; body: ErrorBody; retryAfterSeconds?: number };

/**
 * Answers every failed request in the error shapes of the API. Internal errors reveal no details.
 */
export function replyToError(
  error: FastifyError | Fault,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const { status, body, retryAfterSeconds } = answerTo(error, request);
  if (retryAfterSeconds !== undefined) reply.header('retry-after', retryAfterSeconds);
  // Overrides a content type that the handler set for its success answer.
  void reply.code(status).type(JSON_TYPE).send(body);
}

/** The answer to a failed request, which is logged. */
export function answerTo(error: FastifyError | Fault, request: FastifyRequest): Answer {
  const answer = toAnswer(error);
  if (error instanceof Fault) request.rejectedFor = rejectionOf(error);
  if (answer.status >= 500 && !(error instanceof Fault))
    request.log.error({ err: error }, 'request failed');
  else if (error.cause) request.log.warn({ err: error }, 'request refused for an internal reason');
  return answer;
}

/** For clients that show one text. */
export const textOfDetail = (detail: ErrorDetail): string =>
  typeof detail === 'string'
    ? detail
    : detail.map(({ loc, msg }) => `${loc.join('.')}: ${msg}`).join('; ');

/** Why a session was refused for lack of capacity or by the plan; null for every other fault. */
function rejectionOf({ fault, about: { reason } }: Fault): string | null {
  if (fault === 'at_capacity') return typeof reason === 'string' ? reason : fault;
  return fault === 'concurrency_limit' || fault === 'usage_exhausted' ? fault : null;
}

/** The page lists every code. */
export const DOCUMENTED_AT = '/docs/limits';

const explain = (code: FaultName, advice: string = FAULTS[code].advice): Explanation => ({
  code,
  advice,
  docs: `${DOCUMENTED_AT}#${code}`,
});

/** Malformed HTTP never becomes a request, so the answer is written to the socket. */
export function replyToUnreadable(error: ConnectionError, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const status = unreadable[error.code] ?? '400 Bad Request';
  end(socket, status, 'unreadable_request');
}

/** Node answers these without a body, before the request reaches a route. */
export function replyToUnsupported(server: Server): void {
  server.on('checkExpectation', (_request, response) => {
    const detail = 'The only expectation supported is 100-continue.';
    const body = JSON.stringify({ detail, ...explain('unreadable_request') });
    const headers = { 'content-type': JSON_TYPE, 'content-length': body.length };
    response.writeHead(417, { ...headers, connection: 'close' }).end(body);
  });
  server.on('connect', (_request, stream: Duplex) => {
    stream.on('error', () => stream.destroy());
    // The server's timeouts do not apply to it.
    stream.once('finish', () => stream.destroy());
    end(stream, '405 Method Not Allowed', 'method_not_allowed');
  });
}

function end(stream: Duplex, status: string, code: FaultName): void {
  const body = JSON.stringify({ detail: FAULTS[code].detail, ...explain(code) });
  const headers = `content-type: ${JSON_TYPE}\r\ncontent-length: ${body.length}`;
  stream.end(`HTTP/1.1 ${status}\r\n${headers}\r\nconnection: close\r\n\r\n${body}`);
}

const JSON_TYPE = 'application/json; charset=utf-8';

const unreadable: Record<string, string> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
};

function toAnswer(error: FastifyError | Fault): Answer {
  if (error instanceof Fault) return toFaultAnswer(error);
  if (error.validation) {
    return list(toProblems(error.validation, error.validationContext ?? 'body'));
  }
  if (isAway(error)) return toFaultAnswer(new Fault('records_away', { retryAfterSeconds: 2 }));
  const fault = faults[error.code];
  if (fault) return toFaultAnswer(new Fault(fault));
  const problem = bodyProblems[error.code];
  if (problem) return list([{ ...problem, loc: ['body'], input: null }]);

  const status = error.statusCode ?? 500;
  // Fastify's other 4xx messages are safe to show.
  if (status >= 400 && status < 500) {
    return { status, body: { detail: error.message, ...explain('unreadable_request') } };
  }
  return toFaultAnswer(new Fault('internal_error'));
}

function toFaultAnswer(fault: Fault): Answer {
  const problems =
    fault.problems ??
    (fault.status === 422
      ? [{ type: 'value_error', loc: ['body'], msg: fault.message, input: null }]
      : null);
  const detail = problems ? new Echo().inputs(problems) : fault.message;
  const body = { detail, ...explain(fault.fault, fault.advice), ...fault.about };
  const answer: Answer = { status: fault.status, body };
  if (fault.retryAfterSeconds !== undefined) answer.retryAfterSeconds = fault.retryAfterSeconds;
  return answer;
}

const list = (problems: Problem[]): Answer => ({
  status: 422,
  body: { detail: problems, ...explain('invalid_request') },
});

const faults: Record<string, FaultName> = {
  // Fastify's own message repeats the whole path.
  FST_ERR_BAD_URL: 'malformed_path',
  FST_ERR_CTP_BODY_TOO_LARGE: 'too_large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
};

/** Body errors that fastify detects before schema validation. */
const bodyProblems: Record<string, { type: string; msg: string }> = {
  FST_ERR_CTP_INVALID_JSON_BODY: { type: 'json_invalid', msg: 'The body is not valid JSON' },
  FST_ERR_CTP_EMPTY_JSON_BODY: { type: 'missing', msg: 'Field required' },
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: {
    type: 'content_length',
    msg: 'The body is not as long as its content-length says',
  },
};
