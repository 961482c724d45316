import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import { ignoreBodies } from '../../ignored-body.ts';
import { IdempotencyHeader, IdParams, named, OlderQuery } from '../../schemas/common.ts';
import {
  ExternalApiChanges,
  ExternalApiRequest,
  OlderExternalApi,
} from '../../schemas/external-apis.ts';
import {
  changeExternalApi,
  createExternalApi,
  deleteExternalApi,
  findExternalApi,
  type ExternalApiParts,
} from '../external-apis.ts';

/** `/v1/external-api`: what `/v1/external-apis` does, with a bare list. */
export const olderExternalApiRoutes =
  (parts: ExternalApiParts): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.post(
      '/v1/external-api',
      {
        schema: {
          hide: true,
          headers: IdempotencyHeader,
          body: named(ExternalApiRequest),
          response: { 201: OlderExternalApi },
        },
      },
      async (request, reply) => {
        const { status, body } = await createExternalApi(parts, request);
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
      async (request) => (await parts.externalApis.page(request.account.id, request.query)).data,
    );

    app.get(
      '/v1/external-api/:id',
      { schema: { hide: true, params: IdParams, response: { 200: OlderExternalApi } } },
      async (request) => findExternalApi(parts, request),
    );

    app.patch(
      '/v1/external-api/:id',
      {
        schema: {
          hide: true,
          params: IdParams,
          body: named(ExternalApiChanges),
          response: { 204: Type.Null() },
        },
      },
      async (request, reply) => {
        await changeExternalApi(parts, request);
        return reply.code(204).send(null);
      },
    );

    await app.register(deleteRoute(parts));
  };

const deleteRoute =
  (parts: ExternalApiParts): FastifyPluginAsyncTypebox =>
  async (app) => {
    ignoreBodies(app);
    app.delete(
      '/v1/external-api/:id',
      { schema: { hide: true, params: IdParams, response: { 204: Type.Null() } } },
      async (request, reply) => {
        await deleteExternalApi(parts, request);
        return reply.code(204).send(null);
      },
    );
  };
