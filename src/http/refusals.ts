/* What routes may answer before any of their own code runs, added to what the document says of each. */
import type { FastifyInstance, RouteOptions } from 'fastify';
import { RATE_LIMIT_HEADERS } from './rate-limit.ts';
import { errors, type ErrorStatus } from './schemas/common.ts';

/** For every route that `app` registers from now on. `always` and its words: whoever may be refused there. */
export function documentRefusals(
  app: FastifyInstance,
  always: Partial<Record<ErrorStatus, string>>,
): void {
  app.addHook('onRoute', (route) => {
    const { schema } = route;
    if (!schema || schema.hide) return;
    const response: Record<string, object> = {
      ...errors(...refusalsOf(schema), ...statuses(always)),
      ...(schema.response as Record<string, object>),
    };
    for (const status of statuses(always)) {
      response[status] = { ...response[status], description: always[status] };
    }
    route.schema = { ...schema, response: withHeaders(response) };
  });
}

function refusalsOf({ body, params, headers }: NonNullable<RouteOptions['schema']>): ErrorStatus[] {
  const found: ErrorStatus[] = [];
  // A path that does not decode.
  if (params) found.push(400);
  if (body) found.push(413, 415);
  if (JSON.stringify(headers ?? {}).includes('idempotency-key')) found.push(409);
  return found;
}

const statuses = (table: Partial<Record<ErrorStatus, string>>): ErrorStatus[] =>
  Object.keys(table).map(Number) as ErrorStatus[];

const whole = (description: string) => ({ type: 'integer', description });

const limitHeaders = {
  [RATE_LIMIT_HEADERS.limit]: whole('How many requests a minute the key may send.'),
  [RATE_LIMIT_HEADERS.remaining]: whole('How many are left of them.'),
  [RATE_LIMIT_HEADERS.reset]: whole('In how many seconds the next minute begins.'),
};
const retryAfter = { 'retry-after': whole('How many seconds to wait.') };

function withHeaders(response: Record<string, object>): Record<string, object> {
  const all = Object.entries(response).map(([status, answer]) => {
    if (status === '401') return [status, answer];
    const isLater = status === '429' || status === '503';
    return [status, { ...answer, headers: { ...limitHeaders, ...(isLater && retryAfter) } }];
  });
  return Object.fromEntries(all) as Record<string, object>;
}
