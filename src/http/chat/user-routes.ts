/*
 * Requests about a call of the room page. They authenticate with its room token, which only its
 * user has.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import Type from 'typebox';
import { Fault } from '../../errors.ts';
import type { CallRecord } from '../../records/calls/calls.ts';
import type { Calls } from '../../calls/calls.ts';
import { bearerOf } from '../auth/credentials.ts';
import { messagePages } from '../calls/call-schemas.ts';
import { ignoreBodies } from '../plumbing/ignored-body.ts';
import { AgentParams, CHAT_TAGS, ChatCall, ChatCallRating, toChatCall } from './chat-schemas.ts';
import { answer, errors, named } from '../resource/schema-parts.ts';
import type { Services } from '../services.ts';

/** OpenAPI fields of every route here. */
const withRoomToken = { tags: CHAT_TAGS, security: [{ roomToken: [] }] };

const CallParams = Type.Object({
  ...AgentParams.properties,
  call_id: Type.String({ minLength: 1 }),
});

export const userRoutes =
  (services: Services): FastifyPluginAsyncTypebox =>
  async (app) => {
    await app.register(callRoutes(services));
    await app.register(ratingRoute(services));
  };

const callRoutes =
  ({ calls, sessions, records, longAnswers }: Services): FastifyPluginAsyncTypebox =>
  async (app) => {
    ignoreBodies(app);

    app.get(
      '/v1/chat/:id/calls/:call_id',
      {
        schema: {
          ...withRoomToken,
          summary: 'Retrieve a call of the chat room',
          description:
            'Includes the messages so far, and another room token, so that a reloaded page can continue.',
          params: CallParams,
          response: { 200: answer(ChatCall, 'The call.'), ...errors(401, 404) },
        },
      },
      async (request, reply) => {
        const call = await callOfUser(calls, request);
        const { id, accountId, sessionId } = call;
        const session = await sessions.find(accountId, sessionId);
        const token = await calls.userToken(call);
        return longAnswers.sendList({ accountId, readerId: id }, reply, {
          pages: messagePages(records.callMessages, id),
          within: (messages) => ({
            ...toChatCall(call, session?.endReason ?? null, token),
            messages,
          }),
        });
      },
    );

    app.delete(
      '/v1/chat/:id/calls/:call_id',
      {
        schema: {
          ...withRoomToken,
          summary: 'Leave a call of the chat room',
          description: 'Ends the call for good. A call that has already ended stays unchanged.',
          params: CallParams,
          response: {
            204: Type.Null({ description: 'The call has ended.' }),
            ...errors(401, 404),
          },
        },
      },
      async (request, reply) => {
        await calls.end(await callOfUser(calls, request));
        return reply.code(204).send(null);
      },
    );
  };

const ratingRoute =
  ({ calls, callRatings }: Services): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.put(
      '/v1/chat/:id/calls/:call_id/rating',
      {
        schema: {
          ...withRoomToken,
          summary: 'Rate a call of the chat room',
          description:
            'Replaces an earlier rating. A call that was live can be rated until a day after its end.',
          params: CallParams,
          body: named(ChatCallRating),
          response: {
            204: Type.Null({ description: 'The rating is stored.' }),
            ...errors(401, 404, 409, 422),
          },
        },
      },
      async (request, reply) => {
        const { rating, comment } = request.body;
        const ratingComment = comment?.trim() || null;
        await callRatings.rate(await callOfUser(calls, request), { rating, ratingComment });
        return reply.code(204).send(null);
      },
    );
  };

type CallRequest = FastifyRequest & { params: { id: string; call_id: string } };

async function callOfUser(
  calls: Pick<Calls, 'ofAgent'>,
  request: CallRequest,
): Promise<CallRecord> {
  const token = bearerOf(request);
  if (token === null) {
    throw new Fault('api_key_required', { detail: "The call's room token is required." });
  }
  const { id, call_id } = request.params;
  const call = await calls.ofAgent(id, call_id);
  if (!call) throw new Fault('not_found');
  // Must be the exact token issued for this call.
  if (!isSame(token, call.userToken)) {
    throw new Fault('api_key_invalid', { detail: 'The token does not belong to this call.' });
  }
  return call;
}

const isSame = (text: string, expected: string): boolean =>
  timingSafeEqual(digest(text), digest(expected));

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
