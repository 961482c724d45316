/*
 * What routes answer when they refuse, for the document: what they say themselves, and what may be answered before any of their own code
 * runs. These schemas stay away from the replies: every error is written by one handler in one shape, and to prepare a writer for each
 * of some hundred answers would cost the start of the service two seconds.
 */
import type { FastifyInstance, FastifySchema, RouteOptions } from 'fastify';
import { RATE_LIMIT_HEADERS } from './limits/rate-limit.ts';
import { errors, type ErrorStatus } from './schemas/common.ts';

/** Whoever may be refused anywhere in a part of the API, and in which words. */
export type Refusals = Partial<Record<ErrorStatus, string>>;

type Answers = Record<string, object>;

declare module 'fastify' {
  interface FastifyContextConfig {
    refusals?: Refusals;
    errorAnswers?: Answers;
  }
}

/** Call it before any route is registered. */
export function keepErrorAnswers(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    if (!route.schema?.response) return;
    const all = Object.entries(route.schema.response as Answers);
    const response = Object.fromEntries(all.filter((each) => !isError(each)));
    const errorAnswers = Object.fromEntries(all.filter(isError));
    route.schema = { ...route.schema, response };
    route.config = { ...route.config, errorAnswers };
  });
}

/** For every route that `app` registers from now on. */
export function documentRefusals(app: FastifyInstance, refusals: Refusals): void {
  app.addHook('onRoute', (route) => {
    route.config = { ...route.config, refusals };
  });
}

/** A route's schema with all its answers. */
export function withErrorAnswers(schema: FastifySchema, config: RouteOptions['config'] = {}) {
  const { refusals = {}, errorAnswers = {} } = config;
  const everywhere = Object.keys(refusals).map(Number) as ErrorStatus[];
  const response: Answers = {
    ...(schema.response as Answers),
    ...errors(...refusalsOf(schema), ...everywhere),
    ...errorAnswers,
  };
  for (const status of everywhere) {
    response[status] = { ...response[status], description: refusals[status] };
  }
  return { ...schema, response: withHeaders(response) };
}

function refusalsOf({ body, params, headers }: FastifySchema): ErrorStatus[] {
  const found: ErrorStatus[] = [];
  // A path that does not decode.
  if (params) found.push(400);
  if (body) found.push(413, 415);
  if (JSON.stringify(headers ?? {}).includes('idempotency-key')) found.push(409);
  return found;
}

const isError = ([status]: [string, object]): boolean => Number(status) >= 400;

const whole = (description: string) => ({ type: 'integer', description });

const limitHeaders = {
  [RATE_LIMIT_HEADERS.limit]: whole('How many requests a minute the key may send.'),
  [RATE_LIMIT_HEADERS.remaining]: whole('How many are left of them.'),
  [RATE_LIMIT_HEADERS.reset]: whole('In how many seconds the next minute begins.'),
};
const retryAfter = { 'retry-after': whole('How many seconds to wait.') };

function withHeaders(response: Answers): Answers {
  const all = Object.entries(response).map(([status, answer]) => {
    if (status === '401') return [status, answer];
    const isLater = status === '429' || status === '503';
    return [status, { ...answer, headers: { ...limitHeaders, ...(isLater && retryAfter) } }];
  });
  return Object.fromEntries(all) as Answers;
}
