import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import type { Clock } from '#shared/clock.ts';
import { newRecordId } from '#shared/ids.ts';
import type { Avatars } from '../../avatars/avatars.ts';
import type { Agent, AgentRecords } from '../../records/agents.ts';
import { readAgent, readChanges } from '../agent-request.ts';
import type { Answered, Idempotency } from '../limits/idempotency.ts';
import {
  AgentBody,
  AgentChanges,
  AgentPage,
  AgentRequest,
  toAgentBody,
  type OlderAgentRequest,
} from '../schemas/agents.ts';
import { answer, errors, IdempotencyHeader, named } from '../schemas/common.ts';
import {
  deleteRoute,
  listRoute,
  retrieveRoute,
  updateRoute,
  type ChangeRequest,
  type IdRequest,
} from './resource.ts';

export type AgentParts = {
  agents: AgentRecords;
  avatars: Pick<Avatars, 'performing'>;
  idempotency: Idempotency;
  clock: Clock;
  /** Base address of the room pages; an agent's page is at `<chatBase>/<id>`. */
  chatBase: (request: FastifyRequest) => string;
};

const tags = ['Agents'];

/** Fits the longest prompt when JSON escapes every character as 12 bytes. */
export const AGENT_BODY_LIMIT = 256 * 1024;

export const agentRoutes =
  (parts: AgentParts): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { agents, chatBase } = parts;
    const toBody = (agent: Agent, request: FastifyRequest) => toAgentBody(agent, chatBase(request));

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
        const { status, body } = await createAgent(parts, request, (agent) =>
          toBody(agent, request),
        );
        return reply.code(status).send(body);
      },
    );

    listRoute(app, '/v1/agents', {
      schema: {
        tags,
        summary: 'List agents',
        description: 'Most recent first.',
        response: { 200: answer(AgentPage, 'One page.'), ...errors(401, 422) },
      },
      read: ({ account }, page) => agents.page(account.id, page),
      toBody,
    });

    retrieveRoute(app, '/v1/agents/:id', {
      schema: {
        tags,
        summary: 'Retrieve agent',
        response: { 200: answer(AgentBody, 'The agent.'), ...errors(401, 404) },
      },
      find: ({ account, params }) => agents.find(account.id, params.id),
      toBody,
    });

    updateRoute(app, '/v1/agents/:id', {
      bodyLimit: AGENT_BODY_LIMIT,
      schema: {
        tags,
        summary: 'Update agent',
        body: named(AgentChanges),
        response: errors(401, 403, 404, 409, 413, 422),
      },
      update: (request) => changeAgent(parts, request),
    });

    await deleteRoute(app, '/v1/agents/:id', {
      schema: {
        tags,
        summary: 'Delete agent',
        description: 'Its calls are kept.',
        response: errors(401, 404),
      },
      remove: (request) => deleteAgent(parts, request),
    });
  };

type CreateRequest = FastifyRequest<{
  Body: Static<typeof OlderAgentRequest>;
  Headers: Static<typeof IdempotencyHeader>;
}>;

/** `toBody` gives the answer the form of the path. */
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

export async function changeAgent(
  { agents, avatars }: AgentParts,
  { account, params, body }: ChangeRequest<AgentChanges>,
): Promise<boolean> {
  const changes = await readChanges(body, avatars, account.id);
  return agents.update(account.id, params.id, changes);
}

export async function deleteAgent(
  { agents }: AgentParts,
  { account, params, log }: IdRequest,
): Promise<boolean> {
  const isDeleted = await agents.delete(account.id, params.id);
  if (isDeleted) log.info({ agentId: params.id }, 'agent deleted');
  return isDeleted;
}
