import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import type { PageRequest } from '../../records/engine/pages.ts';
import type { SessionRecord } from '../../records/sessions/sessions.ts';
import { Fault } from '../../errors.ts';
import { faceRelayOf } from '../../sessions/creation/relayed-room.ts';
import type { GuestRoom } from '../../sessions/creation/new-session.ts';
import { endedBy } from '../audit/auditor.ts';
import type { Answered } from '../limits/idempotency.ts';
import { ignoreBodies } from '../plumbing/ignored-body.ts';
import { openInTime } from './open-session.ts';
import { answer, errors, IdempotencyHeader, IdParams, named } from '../resource/schema-parts.ts';
import {
  BotroomToken,
  OpenedSession,
  SessionBody,
  SessionPage,
  SessionQuery,
  SessionRequest,
  toOpenedSession,
  toSessionBody,
} from './session-schemas.ts';
import { readSessionFilter } from './session-filter.ts';
import { readSessionRequest, refuseUnavailable } from './session-request.ts';
import { answerPage, found, retrieveRoute } from '../resource/resource-routes.ts';
import type { Services } from '../services.ts';

const tags = ['Speech-to-Video Sessions'];

export const sessionRoutes =
  (services: Services): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { sessions, usage, avatars, botrooms } = services;

    app.post(
      '/v1/sessions',
      {
        preValidation: async ({ body }) => refuseUnavailable(body),
        schema: {
          tags,
          summary: 'Create speech-to-video session',
          headers: IdempotencyHeader,
          body: named(SessionRequest),
          response: {
            201: answer(OpenedSession, 'The session.'),
            ...errors(401, 402, 403, 404, 409, 422, 429, 501, 503),
          },
        },
      },
      async (request, reply) => {
        const { status, body } = await openSession(services, request, async (record, room) => {
          const botroom = faceRelayOf(record);
          const token = botroom && (await botrooms.clientToken(botroom.token));
          return toOpenedSession(record, room, token);
        });
        // The answer to an earlier request may be older than its token is valid.
        if ('token' in body && body.token !== undefined)
          body.token = await botrooms.clientToken(body.token);
        return reply.code(status).send(body);
      },
    );

    app.get(
      '/v1/sessions',
      {
        schema: {
          tags,
          summary: 'List speech-to-video sessions',
          description:
            'Most recent first. A cursor is valid only with the filters it was created with.',
          querystring: SessionQuery,
          response: {
            200: answer(SessionPage, 'One page.'),
            ...errors(400, 401, 403, 404, 422, 429),
          },
        },
      },
      async (request) => {
        await usage.check(request.account, 'list');
        const { account, query } = request;
        const filter = await readSessionFilter(query, (id) => avatars.find(account.id, id));
        const read = (page: PageRequest) => sessions.page(account.id, page, filter);
        return answerPage(query, read, toSessionBody);
      },
    );

    retrieveRoute(app, '/v1/sessions/:id', {
      schema: {
        tags,
        summary: 'Retrieve speech-to-video session',
        response: { 200: answer(SessionBody, 'The session.'), ...errors(401, 404) },
      },
      find: ({ account, params }) => sessions.find(account.id, params.id),
      toBody: toSessionBody,
    });

    await app.register(endRoute(services));
    await app.register(tokenRoute(services));
  };

const endRoute =
  ({ sessionEnding }: Services): FastifyPluginAsyncTypebox =>
  async (app) => {
    ignoreBodies(app);
    app.post(
      '/v1/sessions/:id/end',
      {
        schema: {
          tags,
          summary: 'End speech-to-video session',
          description:
            'The avatar leaves the room. A session that has already ended is returned unchanged.',
          params: IdParams,
          response: { 200: answer(SessionBody, 'The session.'), ...errors(401, 404) },
        },
      },
      async (request) => {
        const { account, params, log } = request;
        const by = endedBy(request, 'session.ended', params.id);
        const ended = found(await sessionEnding.end(account.id, params.id, by));
        log.info({ sessionId: params.id }, 'session ended by client');
        return toSessionBody(ended.after);
      },
    );
  };

const tokenRoute =
  ({ sessions, botrooms }: Services): FastifyPluginAsyncTypebox =>
  async (app) => {
    ignoreBodies(app);
    app.post(
      '/v1/sessions/:id/token',
      {
        schema: {
          tags,
          summary: 'Create botroom token',
          description:
            'Another token for the client of a botroom, to connect again when its first one has expired. It is valid for ten minutes. Earlier tokens stay valid until they expire.',
          params: IdParams,
          response: {
            201: answer(BotroomToken, 'The token. It is shown only once.'),
            ...errors(401, 404, 409),
          },
        },
      },
      async (request, reply) => {
        const { account, params } = request;
        const session = found(await sessions.find(account.id, params.id));
        const botroom = faceRelayOf(session);
        if (!botroom || session.status === 'completed') {
          const detail = botroom ? 'The session is over.' : 'The session has no botroom.';
          throw new Fault('conflict', { detail });
        }
        const token = await botrooms.clientToken(botroom.token);
        reply.header('cache-control', 'no-store');
        return reply.code(201).send({ url: session.roomUrl, token });
      },
    );
  };

type OpenRequest = FastifyRequest<{
  Body: SessionRequest;
  Headers: Static<typeof IdempotencyHeader>;
}>;

/** Opens a session, or finds the one of an earlier attempt. `toBody` shapes the answer. */
export async function openSession<Body>(
  services: Services,
  request: OpenRequest,
  toBody: (record: SessionRecord, room: GuestRoom | undefined) => Body | Promise<Body>,
): Promise<Answered<Body>> {
  const { account, body, log } = request;
  const publicUrl = services.baseUrl(request);
  const findAvatar = (id: string) => services.avatars.performing(account.id, id);
  const opening = {
    account,
    log,
    wanted: await readSessionRequest(body, { ...services, findAvatar, publicUrl }),
    idempotencyKey: request.headers['idempotency-key'],
    same: [request.method, request.routeOptions.url, body],
  };
  return openInTime(services, opening, toBody);
}
