import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import { OlderAvatar, toOlderAvatar } from '../avatars/avatar-schemas.ts';
import { IdempotencyHeader, named, OlderQuery } from '../resource/schema-parts.ts';
import { OlderSession, SessionRequest, toOlderSession } from '../sessions/session-schemas.ts';
import { refuseBotroom, refuseUnavailable } from '../sessions/session-request.ts';
import { retrieveRoute } from '../resource/resource-routes.ts';
import { openSession } from '../sessions/session-routes.ts';
import type { Services } from '../services.ts';

/**
 * Deprecated `/v1/session` and `/v1/avatar`: lists are plain arrays. Not in the OpenAPI document.
 */
export const olderNameRoutes =
  (services: Services): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { sessions, usage, avatars, baseUrl } = services;

    app.post(
      '/v1/session',
      {
        preValidation: async ({ body }) => {
          refuseUnavailable(body);
          refuseBotroom(body);
        },
        schema: {
          hide: true,
          headers: IdempotencyHeader,
          body: named(SessionRequest),
          response: { 201: OlderSession },
        },
      },
      async (request, reply) => {
        const { status, body } = await openSession(services, request, toOlderSession);
        return reply.code(status).send(body);
      },
    );

    app.get(
      '/v1/session',
      {
        schema: {
          hide: true,
          querystring: OlderQuery,
          response: { 200: Type.Array(OlderSession) },
        },
      },
      async (request) => {
        await usage.check(request.account, 'list');
        const { data } = await sessions.page(request.account.id, request.query);
        return data.map(toOlderSession);
      },
    );

    retrieveRoute(app, '/v1/session/:id', {
      schema: { hide: true, response: { 200: OlderSession } },
      find: ({ account, params }) => sessions.find(account.id, params.id),
      toBody: toOlderSession,
    });

    app.get(
      '/v1/avatar',
      { schema: { hide: true, response: { 200: Type.Array(OlderAvatar) } } },
      async (request) => {
        const performing = await avatars.allPerforming(request.account.id);
        return performing.map((avatar) => toOlderAvatar(avatar, baseUrl(request)));
      },
    );

    retrieveRoute(app, '/v1/avatar/:id', {
      schema: { hide: true, response: { 200: OlderAvatar } },
      find: ({ account, params }) => avatars.find(account.id, params.id),
      toBody: (avatar, request) => toOlderAvatar(avatar, baseUrl(request)),
    });
  };
