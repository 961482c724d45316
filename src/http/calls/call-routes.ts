import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import { Fault } from '../../errors.ts';
import { endedBy } from '../audit/auditor.ts';
import { ignoreBodies } from '../plumbing/ignored-body.ts';
import { answerInTime } from '../limits/deadline.ts';
import type { Answered } from '../limits/idempotency.ts';
import {
  CallBody,
  CallMessages,
  CallPage,
  CallQuery,
  CallRequest,
  CallToken,
  OpenedCall,
  toCallBody,
  toCallToken,
  messagePages,
  toOpenedCall,
} from './call-schemas.ts';
import { answer, errors, IdempotencyHeader, IdParams, named } from '../resource/schema-parts.ts';
import { answerPage, found, retrieveRoute } from '../resource/resource-routes.ts';
import type { Services } from '../services.ts';
import { readVideo } from '../sessions/video-schemas.ts';

const tags = ['Agent Conversations'];

export const callRoutes =
  (services: Services): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.post(
      '/v1/calls',
      {
        schema: {
          tags,
          summary: 'Start a call with an agent',
          description:
            "Creates a room where the agent's avatar performs as the participant `avatar_worker`, and a token for one user. The call ends when the user leaves or at the agent's time limit. It counts as one session.",
          ...opening,
        },
      },
      async (request, reply) => {
        const { status, body } = await openCall(services, request);
        return reply.code(status).send(body);
      },
    );
    await app.register(
      callRecordRoutes(services, '/v1/calls', tags, { one: 'call', many: 'calls' }),
    );
    await app.register(endRoute(services));
    await app.register(tokenRoute(services));
  };

const endRoute =
  ({ calls }: Services): FastifyPluginAsyncTypebox =>
  async (app) => {
    ignoreBodies(app);
    app.post(
      '/v1/calls/:id/end',
      {
        schema: {
          tags,
          summary: 'End call',
          description:
            'Agent and avatar leave, and the room closes. A call that has already ended is returned unchanged.',
          params: IdParams,
          response: { 200: answer(CallBody, 'The call.'), ...errors(401, 404) },
        },
      },
      async (request) => {
        const { account, params, log } = request;
        const call = found(await calls.find(account.id, params.id));
        await calls.end(call, endedBy(request, 'call.ended', call.id));
        log.info({ callId: call.id }, 'call ended by client');
        return toCallBody(found(await calls.find(account.id, call.id)));
      },
    );
  };

const tokenRoute =
  ({ calls }: Services): FastifyPluginAsyncTypebox =>
  async (app) => {
    ignoreBodies(app);
    app.post(
      '/v1/calls/:id/token',
      {
        schema: {
          tags,
          summary: 'Create room token of a call',
          description:
            'Another token for the user, valid for ten minutes, to come back when the first one has expired. Connected users need none.',
          params: IdParams,
          response: {
            201: answer(CallToken, 'The token. It is shown only once.'),
            ...errors(401, 404, 409),
          },
        },
      },
      async (request, reply) => {
        const { account, params } = request;
        const call = found(await calls.find(account.id, params.id));
        const token = await calls.userToken(call);
        if (token === null) throw new Fault('conflict', { detail: 'The call is over.' });
        reply.header('cache-control', 'no-store');
        return reply.code(201).send(toCallToken(call, token));
      },
    );
  };

/** Calls are readable under two paths: `/v1/calls` and `/v1/conversations`. */
export const callRecordRoutes =
  (
    { calls, records, longAnswers }: Services,
    root: string,
    tags: string[],
    { one, many }: { one: string; many: string },
  ): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(
      root,
      {
        schema: {
          tags,
          summary: `List ${many}`,
          description:
            'Most recent first. A cursor is valid only with the filter it was created with.',
          querystring: CallQuery,
          response: { 200: answer(CallPage, 'One page.'), ...errors(401, 422) },
        },
      },
      async ({ account, query }) => {
        const filter = { agentId: query.agent_id, rating: query.rating };
        return answerPage(query, (page) => calls.page(account.id, page, filter), toCallBody);
      },
    );

    retrieveRoute(app, `${root}/:id`, {
      schema: {
        tags,
        summary: `Retrieve ${one}`,
        response: { 200: answer(CallBody, `The ${one}.`), ...errors(401, 404) },
      },
      find: ({ account, params }) => calls.find(account.id, params.id),
      toBody: toCallBody,
    });

    app.get(
      `${root}/:id/messages`,
      {
        schema: {
          tags,
          summary: `List messages of a ${one}`,
          description: 'All messages, in spoken order.',
          params: IdParams,
          response: { 200: answer(CallMessages, 'The messages.'), ...errors(401, 404) },
        },
      },
      async (request, reply) => {
        const { id, accountId } = found(await calls.find(request.account.id, request.params.id));
        const pages = messagePages(records.callMessages, id);
        return longAnswers.sendList({ accountId }, reply, { pages });
      },
    );
  };

/** Schema parts of every route that opens a call. */
export const opening = {
  headers: IdempotencyHeader,
  body: named(CallRequest),
  response: {
    201: answer(OpenedCall, 'The call, with the credentials the user needs to join.'),
    ...errors(401, 402, 403, 404, 409, 422, 429, 501, 503),
  },
};

type OpenRequest = FastifyRequest<{
  Body: CallRequest;
  Headers: Static<typeof IdempotencyHeader>;
}>;

export async function openCall(
  { calls, usage, idempotency, clock }: Services,
  request: OpenRequest,
): Promise<Answered<OpenedCall>> {
  const { account, body, log } = request;
  const key = request.headers['idempotency-key'];
  // A retry of a refused call sends the ticket that it was given.
  const { line_ticket: lineTicket, ...identity } = body;
  const requestIdentity = [request.method, request.routeOptions.url, identity];

  let isNew = false;
  const open = async (isStillWanted: () => boolean) => {
    const { call, repeated } = await calls.open(account, {
      agentId: body.agent_id,
      userName: body.user_name ?? null,
      userEmail: body.user_email ?? null,
      tags: body.tags ?? {},
      video: body.video && readVideo(body.video, ['body', 'video']),
      lineTicket,
      ...usage.admission(account),
      ...(key !== undefined && { idempotencyKey: key }),
    });
    log.info({ callId: call.id, sessionId: call.sessionId, repeated }, 'call opened');
    isNew = !repeated;
    // The client has already got a 503, so no user will join this room.
    if (!isStillWanted()) await calls.end(call);
    return { status: 201 as const, body: toOpenedCall(call) };
  };
  const answered = await answerInTime(clock, log, (isInTime) =>
    key === undefined
      ? open(isInTime)
      : // A late result answers the next attempt under the same key.
        idempotency.once(account.id, key, requestIdentity, () => open(() => true)),
  );
  if (isNew) return answered;
  // The answer to an earlier request may be older than its token is valid.
  const call = await calls.find(account.id, answered.body.id);
  const token = call && (await calls.userToken(call));
  if (!call || token === null) return answered;
  return { ...answered, body: { ...answered.body, ...toCallToken(call, token) } };
}
