import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import Type, { type Static } from 'typebox';
import type { Clock } from '#shared/clock.ts';
import { newRecordId } from '#shared/ids.ts';
import type { Avatars } from '../../avatars/avatars.ts';
import { Fault } from '../../errors.ts';
import type { Agent, AgentRecords } from '../../records/agents.ts';
import { readAgent, readChanges } from '../agent-request.ts';
import type { Answered, Idempotency } from '../limits/idempotency.ts';
import { ignoreBodies } from '../ignored-body.ts';
import {
  AgentBody,
  AgentChanges,
  AgentPage,
  AgentRequest,
  toAgentBody,
  type OlderAgentRequest,
} from '../schemas/agents.ts';
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

export type AgentParts = {
  agents: AgentRecords;
  avatars: Pick<Avatars, 'performing'>;
  idempotency: Idempotency;
  clock: Clock;
  /** Where the room page is: an agent's own is there under its id. */
  chatBase: (request: FastifyRequest) => string;
};

const tags = ['Agents'];

/** A prompt of the longest kind, of letters that JSON writes as twelve. */
export const AGENT_BODY_LIMIT = 256 * 1024;

export const agentRoutes =
  (parts: AgentParts): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { agents, chatBase } = parts;
    const toBody = (request: FastifyRequest) => (agent: Agent) =>
      toAgentBody(agent, chatBase(request));

    app.post(
      '/v1/agents',
      {
        bodyLimit: AGENT_BODY_LIMIT,
        schema: {
          tags,
          summary: 'Create agent',
          headers: IdempotencyHeader,
          body: named(AgentRequest),
          response: {
            201: answer(AgentBody, 'The agent.'),
            ...errors(401, 403, 404, 409, 413, 422),
          },
        },
      },
      async (request, reply) => {
        const { status, body } = await createAgent(parts, request, toBody(request));
        return reply.code(status).send(body);
      },
    );

    app.get(
      '/v1/agents',
      {
        schema: {
          tags,
          summary: 'List agents',
          description: 'Most recent first.',
          querystring: PageQuery,
          response: { 200: answer(AgentPage, 'One page.'), ...errors(401, 422) },
        },
      },
      async (request) => {
        const { limit = DEFAULT_LIMIT, cursor } = request.query;
        const { data, nextCursor } = await agents.page(request.account.id, { limit, cursor });
        return toPage(data.map(toBody(request)), nextCursor);
      },
    );

    app.get(
      '/v1/agents/:id',
      {
        schema: {
          tags,
          summary: 'Retrieve agent',
          params: IdParams,
          response: { 200: answer(AgentBody, 'The agent.'), ...errors(401, 404) },
        },
      },
      async (request) => toBody(request)(await findAgent(parts, request)),
    );

    app.patch(
      '/v1/agents/:id',
      {
        bodyLimit: AGENT_BODY_LIMIT,
        schema: {
          tags,
          summary: 'Update agent',
          params: IdParams,
          body: named(AgentChanges),
          response: {
            204: Type.Null({ description: 'It is changed.' }),
            ...errors(401, 403, 404, 409, 413, 422),
          },
        },
      },
      async (request, reply) => {
        await changeAgent(parts, request);
        return reply.code(204).send(null);
      },
    );

    await app.register(deleteRoute(parts));
  };

const deleteRoute =
  (parts: AgentParts): FastifyPluginAsyncTypebox =>
  async (app) => {
    ignoreBodies(app);
    app.delete(
      '/v1/agents/:id',
      {
        schema: {
          tags,
          summary: 'Delete agent',
          description: 'Its calls stay.',
          params: IdParams,
          response: { 204: Type.Null({ description: 'It is gone.' }), ...errors(401, 404) },
        },
      },
      async (request, reply) => {
        await deleteAgent(parts, request);
        return reply.code(204).send(null);
      },
    );
  };

type CreateRequest = FastifyRequest<{
  Body: Static<typeof OlderAgentRequest>;
  Headers: Static<typeof IdempotencyHeader>;
}>;
type OneRequest = FastifyRequest<{ Params: Static<typeof IdParams> }>;
type ChangeRequest = FastifyRequest<{ Params: Static<typeof IdParams>; Body: AgentChanges }>;

/** `toBody` writes it in the form of the path. */
export async function createAgent<Body>(
  { agents, avatars, idempotency, clock }: AgentParts,
  { account, body, headers, log, method, routeOptions }: CreateRequest,
  toBody: (agent: Agent) => Body,
): Promise<Answered<Body>> {
  const same = [method, routeOptions.url, body];
  return idempotency.once(account.id, headers['idempotency-key'], same, async () => {
    const agent: Agent = {
      id: newRecordId(),
      accountId: account.id,
      ...(await readAgent(body, avatars, account.id)),
      createdAt: clock.now(),
    };
    await agents.insert(agent);
    log.info({ agentId: agent.id }, 'agent created');
    return { status: 201, body: toBody(agent) };
  });
}

export async function findAgent(
  { agents }: AgentParts,
  { account, params }: OneRequest,
): Promise<Agent> {
  const agent = await agents.find(account.id, params.id);
  if (!agent) throw new Fault('not_found');
  return agent;
}

export async function changeAgent(
  { agents, avatars }: AgentParts,
  { account, params, body }: ChangeRequest,
): Promise<void> {
  const changes = await readChanges(body, avatars, account.id);
  if (!(await agents.update(account.id, params.id, changes))) throw new Fault('not_found');
}

export async function deleteAgent(
  { agents }: AgentParts,
  { account, params, log }: OneRequest,
): Promise<void> {
  if (!(await agents.delete(account.id, params.id))) throw new Fault('not_found');
  log.info({ agentId: params.id }, 'agent deleted');
}
