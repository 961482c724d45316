import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { answer, errors } from '../resource/schema-parts.ts';
import { RequestLogBody, RequestLogQuery, toLoggedRequest } from './request-log-schemas.ts';
import type { Services } from '../services.ts';

export const requestLogRoutes =
  ({ journal }: Services): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(
      '/v1/request-log',
      {
        schema: {
          tags: ['Account'],
          summary: 'List requests',
          description:
            'Requests of the last hour under `/v1`, most recent first, to debug an integration: at most 300 of each control plane, kept in memory only, without secrets. What people read in the console is left out.',
          querystring: RequestLogQuery,
          response: { 200: answer(RequestLogBody, 'The requests.'), ...errors(401, 422) },
        },
      },
      async ({ account, query: { status, route, limit = 100 } }) => {
        const entries = (await journal.of(account.id)).filter(
          (entry) =>
            (status === undefined || `${Math.floor(entry.status / 100)}xx` === status) &&
            (route === undefined || entry.route === route),
        );
        return { data: entries.slice(0, limit).map(toLoggedRequest) };
      },
    );
  };
