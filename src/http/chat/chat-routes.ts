/*
 * Routes of the room page, whose users know an agent's address and have no key. A private agent
 * also needs a link token. Calls are opened on the account of the agent's owner and count against
 * its plan. Later requests about a call authenticate with its room token, which only its user has.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import Type, { type Static } from 'typebox';
import { toAccount } from '../../accounts/account.ts';
import { Fault } from '../../errors.ts';
import type { Agent } from '../../records/agents/agents.ts';
import type { CallRecord } from '../../records/calls/calls.ts';
import type { Calls } from '../../calls/calls.ts';
import { checkLinkToken } from '../../calls/link-tokens.ts';
import { documentRefusals } from '../errors/refusals.ts';
import { bearerOf } from '../auth/credentials.ts';
import { messagePages } from '../calls/call-schemas.ts';
import { answerInTime } from '../limits/deadline.ts';
import { addressOf, refusal, SharedWindow } from '../limits/rate-limit.ts';
import { ignoreBodies } from '../plumbing/ignored-body.ts';
import {
  ChatAgent,
  ChatCall,
  ChatCallRequest,
  OpenedChatCall,
  toChatAgent,
  toChatCall,
  toOpenedChatCall,
} from './chat-schemas.ts';
import { answer, errors, named } from '../resource/schema-parts.ts';
import type { Services } from '../services.ts';

const HOUR_MS = 3_600_000;

const REFUSALS = {
  429: 'Too many requests, calls from this address, or sessions of the owner: try again after the time in Retry-After.',
};

const tags = ['Chat Room'];
/** OpenAPI fields of routes that need only the agent's id, and a link token if it is private. */
const open = { tags, security: [{}, { linkToken: [] }] };
/** OpenAPI fields of routes that need the call's room token. */
const withRoomToken = { tags, security: [{ roomToken: [] }] };

const AgentParams = Type.Object({ id: Type.String({ minLength: 1, description: 'The agent.' }) });
const CallParams = Type.Object({
  ...AgentParams.properties,
  call_id: Type.String({ minLength: 1 }),
});

export const chatRoutes =
  (services: Services): FastifyPluginAsyncTypebox =>
  async (app) => {
    documentRefusals(app, REFUSALS);
    app.addHook('onRequest', async (request, reply) => {
      reply.header('cache-control', 'no-store');
      services.limits.countStranger(request);
    });
    await app.register(openRoutes(services));
    await app.register(userRoutes(services));
  };

const openRoutes =
  (services: Services): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { records, settings, clock, abilitiesOf, baseUrl } = services;
    const { chatCallsPerHour, hasAiLabel } = settings;
    const opened = new SharedWindow(clock, HOUR_MS, services.sharedRateCounter);

    app.get(
      '/v1/chat/:id',
      {
        schema: {
          ...open,
          summary: 'Retrieve who is in a chat room',
          params: AgentParams,
          response: { 200: answer(ChatAgent, 'The agent.'), ...errors(401, 404) },
        },
      },
      async (request) => {
        const agent = await findAgent(services, request);
        const owner = await records.accounts.find(agent.accountId);
        if (!owner) throw new Fault('not_found');
        const { hears, sees } = await abilitiesOf(agent, owner.pool);
        return toChatAgent(agent, {
          baseUrl: baseUrl(request),
          hears: hears !== null,
          sees,
          hasAiLabel,
        });
      },
    );

    app.post(
      '/v1/chat/:id/calls',
      {
        schema: {
          ...open,
          summary: 'Start a call from the chat room',
          description: `Counts as a call of the agent's owner. At most ${chatCallsPerHour} calls per hour may be opened with one agent from one address. The number of open calls is limited, too, by address and by agent.`,
          params: AgentParams,
          body: named(ChatCallRequest),
          response: {
            201: answer(OpenedChatCall, 'The call, with the credentials the user needs to join.'),
            ...errors(401, 402, 403, 404, 409, 422, 501, 503),
          },
        },
      },
      async (request, reply) => {
        // First: counting unknown ids would let strangers fill the window for an hour.
        const agent = await findAgent(services, request);
        const visitor = `chat ${addressOf(request)} ${agent.id}`;
        const { current, ttl } = await opened.add(visitor);
        try {
          if (current > chatCallsPerHour) {
            const detail = `At most ${chatCallsPerHour} calls per hour may be opened from one address. Please try again later.`;
            throw refusal(ttl, detail);
          }
          const call = await answerInTime(clock, request.log, (isInTime) =>
            openCall(services, agent, request, isInTime),
          );
          return reply.code(201).send(toOpenedChatCall(call));
        } catch (error) {
          // Failed tries do not count: a user who waits for a free avatar retries often.
          await opened.takeBack(visitor);
          throw error;
        }
      },
    );
  };

/** Throws unless the request may see the agent. */
async function findAgent(
  { records: { agents, linkSecrets }, guesses, clock }: Services,
  request: FastifyRequest & { params: { id: string } },
): Promise<Agent> {
  const agent = await agents.get(request.params.id);
  if (!agent) throw new Fault('not_found');
  const secret = agent.isPrivate ? await linkSecrets.find(agent.id) : null;
  if (secret === null) return agent;
  const token = bearerOf(request);
  if (token === null) {
    const detail = 'This agent is private: a link token of its owner is required.';
    throw new Fault('api_key_required', { detail });
  }
  const state = await checkLinkToken(token, { agentId: agent.id, secret, now: clock.now() });
  // A page that keeps an old link guesses nothing. Visitors of other agents do not wait for it.
  if (state !== 'expired')
    await guesses.judge(request, `link token of ${agent.id}`, state === 'valid');
  if (state === 'valid') return agent;
  const detail = 'The link token is invalid or has expired. Please ask for a new link.';
  throw new Fault('api_key_invalid', { detail });
}

async function openCall(
  { records: { accounts }, usage, calls }: Services,
  agent: Agent,
  request: FastifyRequest & { body: Static<typeof ChatCallRequest> },
  isStillWanted: () => boolean,
): Promise<CallRecord> {
  const owner = await accounts.find(agent.accountId);
  if (!owner) throw new Fault('not_found');
  const account = toAccount(owner);
  const { body, log } = request;
  const { call } = await calls.open(account, {
    agentId: agent.id,
    userName: body.user_name || null,
    userEmail: null,
    tags: {},
    visitorAddress: addressOf(request),
    ...usage.admission(account),
  });
  log.info({ callId: call.id, sessionId: call.sessionId }, 'call opened from the room page');
  // The client has already got a 503, so no user will join this room.
  if (!isStillWanted()) await calls.end(call);
  return call;
}

const userRoutes =
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
