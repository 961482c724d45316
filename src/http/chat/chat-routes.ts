/*
 * Routes of the room page, whose users know an agent's address and have no key. A private agent
 * also needs a link token. Calls are opened on the account of the agent's owner and count against
 * its plan. `user-routes.ts` has the later requests about a call.
 */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import Type, { type Static } from 'typebox';
import { toAccount } from '../../accounts/account.ts';
import { Fault } from '../../errors.ts';
import type { Agent } from '../../records/agents/agents.ts';
import type { CallRecord } from '../../records/calls/calls.ts';
import { checkLinkToken } from '../../calls/link-tokens.ts';
import { ignoreBodies } from '../plumbing/ignored-body.ts';
import { documentRefusals } from '../errors/refusals.ts';
import { bearerOf } from '../auth/credentials.ts';
import { answerInTime } from '../limits/deadline.ts';
import { addressOf, refusal, SharedWindow } from '../limits/rate-limit.ts';
import {
  AgentParams,
  CHAT_TAGS,
  ChatAgent,
  ChatCallRequest,
  LineQuery,
  OpenedChatCall,
  toChatAgent,
  toOpenedChatCall,
} from './chat-schemas.ts';
import { userRoutes } from './user-routes.ts';
import { answer, errors, named } from '../resource/schema-parts.ts';
import type { Services } from '../services.ts';

const HOUR_MS = 3_600_000;

const REFUSALS = {
  429: 'Too many requests, calls from this address, or sessions of the owner: try again after the time in Retry-After.',
};

/** OpenAPI fields of routes that need only the agent's id, and a link token if it is private. */
const open = { tags: CHAT_TAGS, security: [{}, { linkToken: [] }] };

export const chatRoutes =
  (services: Services): FastifyPluginAsyncTypebox =>
  async (app) => {
    documentRefusals(app, REFUSALS);
    app.addHook('onRequest', async (request, reply) => {
      reply.header('cache-control', 'no-store');
      services.limits.countStranger(request);
    });
    await app.register(openRoutes(services));
    await app.register(lineRoute(services));
    await app.register(userRoutes(services));
  };

const openRoutes =
  (services: Services): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { records, settings, clock, abilitiesIn, baseUrl } = services;
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
        const { hears, sees, installing } = (await abilitiesIn(owner.pool))(agent);
        return toChatAgent(agent, {
          baseUrl: baseUrl(request),
          hears: hears !== null,
          hearsSoon: installing.includes('speech_recognition'),
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

const lineRoute =
  (services: Services): FastifyPluginAsyncTypebox =>
  async (app) => {
    ignoreBodies(app);

    app.delete(
      '/v1/chat/:id/line',
      {
        schema: {
          ...open,
          summary: 'Leave the line of a chat room',
          description:
            'Gives up the place of a call that was refused because all slots were taken. Without this request the place is held for 15 seconds after the last try. An unknown ticket changes nothing.',
          params: AgentParams,
          querystring: LineQuery,
          response: {
            204: Type.Null({ description: 'The ticket has no place.' }),
            ...errors(401, 404, 422),
          },
        },
      },
      async (request, reply) => {
        const { accountId } = await findAgent(services, request);
        await services.fleet.line.leave(accountId, request.query.ticket);
        return reply.code(204).send(null);
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
    screen: body.screen,
    lineTicket: body.line_ticket,
    visitorAddress: addressOf(request),
    ...usage.admission(account),
  });
  log.info({ callId: call.id, sessionId: call.sessionId }, 'call opened from the room page');
  // The client has already got a 503, so no user will join this room.
  if (!isStillWanted()) await calls.end(call);
  return call;
}
