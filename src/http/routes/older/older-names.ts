import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import { Fault } from '../../../errors.ts';
import { OlderAvatar, toOlderAvatar } from '../../schemas/avatars.ts';
import { IdParams, IdempotencyHeader, named, OlderQuery } from '../../schemas/common.ts';
import { OlderSession, SessionRequest, toOlderSession } from '../../schemas/sessions.ts';
import { refuseUnavailable } from '../../session-request.ts';
import type { AvatarParts } from '../avatars.ts';
import { openSession, type SessionParts } from '../sessions.ts';

/** The deprecated paths: their successors' behaviour in the form that older clients know, with bare lists. Not in the document. */
export const olderNameRoutes =
  (parts: SessionParts & AvatarParts): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { sessions, usage, avatars, baseUrl } = parts;

    app.post(
      '/v1/session',
      {
        preValidation: async ({ body }) => refuseUnavailable(body),
        schema: {
          hide: true,
          headers: IdempotencyHeader,
          body: named(SessionRequest),
          response: { 201: OlderSession },
        },
      },
      async (request, reply) => {
        const { status, body } = await openSession(parts, request, toOlderSession);
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

    app.get(
      '/v1/session/:id',
      { schema: { hide: true, params: IdParams, response: { 200: OlderSession } } },
      async (request) => {
        const session = await sessions.find(request.account.id, request.params.id);
        if (!session) throw new Fault('not_found');
        return toOlderSession(session);
      },
    );

    app.get(
      '/v1/avatar',
      { schema: { hide: true, response: { 200: Type.Array(OlderAvatar) } } },
      async (request) => {
        const all = await avatars.allPerforming(request.account.id);
        return all.map((avatar) => toOlderAvatar(avatar, baseUrl(request)));
      },
    );

    app.get(
      '/v1/avatar/:id',
      { schema: { hide: true, params: IdParams, response: { 200: OlderAvatar } } },
      async (request) =>
        toOlderAvatar(await avatars.find(request.account.id, request.params.id), baseUrl(request)),
    );
  };
