import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import { IdempotencyHeader, OlderQuery } from '../resource/schema-parts.ts';
import {
  OlderExternalApi,
  OlderExternalApiChanges,
  OlderExternalApiRequest,
} from '../external-apis/external-api-schemas.ts';
import {
  changeExternalApi,
  createExternalApi,
  deleteExternalApi,
} from '../external-apis/external-api-routes.ts';
import { deleteRoute, retrieveRoute, updateRoute } from '../resource/resource-routes.ts';
import type { Services } from '../services.ts';

/** `/v1/external-api`: deprecated form of `/v1/external-apis`; lists are plain arrays. */
export const olderExternalApiRoutes =
  (services: Services): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.post(
      '/v1/external-api',
      {
        schema: {
          hide: true,
          headers: IdempotencyHeader,
          body: OlderExternalApiRequest,
          response: { 201: OlderExternalApi },
        },
      },
      async (request, reply) => {
        const { status, body } = await createExternalApi(services, request);
        return reply.code(status).send(body);
      },
    );

    app.get(
      '/v1/external-api',
      {
        schema: {
          hide: true,
          querystring: OlderQuery,
          response: { 200: Type.Array(OlderExternalApi) },
        },
      },
      async (request) =>
        (await services.records.externalApis.page(request.account.id, request.query)).data,
    );

    retrieveRoute(app, '/v1/external-api/:id', {
      schema: { hide: true, response: { 200: OlderExternalApi } },
      find: ({ account, params }) => services.records.externalApis.find(account.id, params.id),
      toBody: (api) => api,
    });

    updateRoute(app, '/v1/external-api/:id', {
      schema: { hide: true, body: OlderExternalApiChanges },
      update: (request) => changeExternalApi(services, request),
    });

    await deleteRoute(app, '/v1/external-api/:id', {
      schema: { hide: true },
      remove: (request) => deleteExternalApi(services, request),
    });
  };
