import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import type { Clock } from '#shared/clock.ts';
import type { Usage } from '../../accounts/usage.ts';
import { Fault } from '../../errors.ts';
import type { Calls } from '../../calls/calls.ts';
import { answerInTime } from '../limits/deadline.ts';
import type { Answered, Idempotency } from '../limits/idempotency.ts';
import {
  CallBody,
  CallMessages,
  CallPage,
  CallRequest,
  OpenedCall,
  toCallBody,
  toMessages,
  toOpenedCall,
} from '../schemas/calls.ts';
import {
  answer,
  DEFAULT_LIMIT,
  errors,
  IdempotencyHeader,
  IdParams,
  named,
  PageQuery,
  toPage,
} from '../schemas/common.ts';

export type CallParts = {
  calls: Pick<Calls, 'open' | 'find' | 'page' | 'end' | 'messages'>;
  usage: Pick<Usage, 'admission'>;
  idempotency: Idempotency;
  clock: Clock;
};

const tags = ['Agent Conversations'];

export const callRoutes =
  (parts: CallParts): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.post(
      '/v1/calls',
      {
        schema: {
          tags,
          summary: 'Start a call with an agent',
          description:
            "Makes a room in which the agent's avatar performs, as the participant `avatar_worker`, and a token for one user. The call ends by itself when the user has left, or at the agent's limit. It counts as one session.",
          ...opening,
        },
      },
      async (request, reply) => {
        const { status, body } = await openCall(parts, request);
        return reply.code(status).send(body);
      },
    );
    await app.register(callRecordRoutes(parts, '/v1/calls', tags, { one: 'call', many: 'calls' }));
  };

/** The same records, read under two names. */
export const callRecordRoutes =
  (
    { calls }: Pick<CallParts, 'calls'>,
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
          description: 'Most recent first.',
          querystring: PageQuery,
          response: { 200: answer(CallPage, 'One page.'), ...errors(401, 422) },
        },
      },
      async (request) => {
        const { limit = DEFAULT_LIMIT, cursor } = request.query;
        const { data, nextCursor } = await calls.page(request.account.id, { limit, cursor });
        return toPage(data.map(toCallBody), nextCursor);
      },
    );

    app.get(
      `${root}/:id`,
      {
        schema: {
          tags,
          summary: `Retrieve ${one}`,
          params: IdParams,
          response: { 200: answer(CallBody, `The ${one}.`), ...errors(401, 404) },
        },
      },
      async (request) => {
        const call = await calls.find(request.account.id, request.params.id);
        if (!call) throw new Fault('not_found');
        return toCallBody(call);
      },
    );

    app.get(
      `${root}/:id/messages`,
      {
        schema: {
          tags,
          summary: `List messages of a ${one}`,
          description: 'All of them, in the order in which they were said.',
          params: IdParams,
          response: { 200: answer(CallMessages, 'The messages.'), ...errors(401, 404) },
        },
      },
      async (request) => {
        const messages = await calls.messages(request.account.id, request.params.id);
        if (!messages) throw new Fault('not_found');
        return toMessages(messages);
      },
    );
  };

/** What every route that opens a call reads and answers. */
export const opening = {
  headers: IdempotencyHeader,
  body: named(CallRequest),
  response: {
    201: answer(OpenedCall, 'The call, with what the user needs to join.'),
    ...errors(401, 402, 403, 404, 409, 422, 429, 501, 503),
  },
};

type OpenRequest = FastifyRequest<{
  Body: CallRequest;
  Headers: Static<typeof IdempotencyHeader>;
}>;

export async function openCall(
  { calls, usage, idempotency, clock }: CallParts,
  request: OpenRequest,
): Promise<Answered<OpenedCall>> {
  const { account, body, log } = request;
  const key = request.headers['idempotency-key'];
  const same = [request.method, request.routeOptions.url, body];

  const open = async (isStillWanted: () => boolean) => {
    const { call, repeated } = await calls.open(account, {
      agentId: body.agent_id,
      userName: body.user_name ?? null,
      userEmail: body.user_email ?? null,
      tags: body.tags ?? {},
      ...usage.admission(account),
      ...(key !== undefined && { idempotencyKey: key }),
    });
    log.info({ callId: call.id, sessionId: call.sessionId, repeated }, 'call opened');
    // Nobody was told of its room, so nobody will come to it.
    if (!isStillWanted()) await calls.end(call);
    return { status: 201 as const, body: toOpenedCall(call) };
  };
  return answerInTime(clock, log, (isInTime) =>
    key === undefined
      ? open(isInTime)
      : // What comes too late is kept as the answer of the next try.
        idempotency.once(account.id, key, same, () => open(() => true)),
  );
}
