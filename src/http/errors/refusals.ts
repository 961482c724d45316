/*
 * Error answers in the OpenAPI document: those a route lists and those that hooks, parsers and
 * outages give.
 * They are kept out of the reply schemas, because one handler writes all errors and compiling a
 * serializer for each of them would add two seconds to the start.
 */
import type { FastifyInstance, FastifySchema, RouteOptions } from 'fastify';
import { RATE_LIMIT_HEADERS } from '../limits/rate-limit.ts';
import { errors, type ErrorStatus } from '../resource/schema-parts.ts';

/** Descriptions of the errors that any route of a part of the API may give, by status. */
type Refusals = Partial<Record<ErrorStatus, string>>;

type Answers = Record<string, object>;

declare module 'fastify' {
  interface FastifyContextConfig {
    refusals?: Refusals;
    errorAnswers?: Answers;
  }
}

/** Call before any route is registered. */
export function keepErrorAnswers(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    if (!route.schema?.response) return;
    const answers = Object.entries(route.schema.response as Answers);
    const response = Object.fromEntries(answers.filter((each) => !isError(each)));
    const errorAnswers = Object.fromEntries(answers.filter(isError));
    route.schema = { ...route.schema, response };
    route.config = { ...route.config, errorAnswers };
  });
}

/** Applies to every route that `app` registers afterwards. */
export function documentRefusals(app: FastifyInstance, refusals: Refusals): void {
  app.addHook('onRoute', (route) => {
    route.config = { ...route.config, refusals };
  });
}

/** The schema with all error answers of its route. */
export function withErrorAnswers(schema: FastifySchema, config: RouteOptions['config'] = {}) {
  const { refusals = {}, errorAnswers = {} } = config;
  const everywhere = Object.keys(refusals).map(Number) as ErrorStatus[];
  const response: Answers = {
    ...(schema.response as Answers),
    ...errors(...refusalsOf(schema), ...everywhere, 500),
    503: { ...errors(503)[503], description: UNAVAILABLE },
    ...errorAnswers,
  };
  for (const status of everywhere) {
    response[status] = { ...response[status], description: refusals[status] };
  }
  return { ...schema, response: withHeaders(response) };
}

const UNAVAILABLE =
  'The database is unavailable or busy, or the service is stopping or has too many requests. Try again after the time in Retry-After.';

function refusalsOf({ body, params, querystring, headers }: FastifySchema): ErrorStatus[] {
  const statuses: ErrorStatus[] = [];
  if (body ?? querystring ?? headers) statuses.push(422);
  // A malformed path, or a body that is not text in its charset.
  if (params ?? body) statuses.push(400);
  if (body) statuses.push(413, 415);
  if (JSON.stringify(headers ?? {}).includes('idempotency-key')) statuses.push(409);
  return statuses;
}

const isError = ([status]: [string, object]): boolean => Number(status) >= 400;

const integer = (description: string) => ({ type: 'integer', description });

const limitHeaders = {
  [RATE_LIMIT_HEADERS.limit]: integer('Requests per minute that the key may send.'),
  [RATE_LIMIT_HEADERS.remaining]: integer('Requests left in this minute.'),
  [RATE_LIMIT_HEADERS.reset]: integer('Seconds until the next minute begins.'),
};
const retryAfter = { 'retry-after': integer('Seconds to wait.') };

function withHeaders(response: Answers): Answers {
  const answers = Object.entries(response).map(([status, answer]) => {
    if (status === '401') return [status, answer];
    const isLater = status === '429' || status === '503';
    return [status, { ...answer, headers: { ...limitHeaders, ...(isLater && retryAfter) } }];
  });
  return Object.fromEntries(answers) as Answers;
}
