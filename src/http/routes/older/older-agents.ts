import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import { AgentChanges, OlderAgent, OlderAgentRequest, toOlderAgent } from '../../schemas/agents.ts';
import { IdParams, IdempotencyHeader, named, OlderQuery } from '../../schemas/common.ts';
import {
  AGENT_BODY_LIMIT,
  changeAgent,
  createAgent,
  deleteAgent,
  findAgent,
  type AgentParts,
} from '../agents.ts';
import { ignoreBodies } from '../../ignored-body.ts';

/** `/v1/agent`: what `/v1/agents` does, in the form that older clients know. */
export const olderAgentRoutes =
  (parts: AgentParts): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.post(
      '/v1/agent',
      {
        bodyLimit: AGENT_BODY_LIMIT,
        schema: {
          hide: true,
          headers: IdempotencyHeader,
          body: OlderAgentRequest,
          response: { 201: OlderAgent },
        },
      },
      async (request, reply) => {
        const { status, body } = await createAgent(parts, request, toOlderAgent);
        return reply.code(status).send(body);
      },
    );

    app.get(
      '/v1/agent',
      {
        schema: {
          hide: true,
          querystring: OlderQuery,
          response: { 200: Type.Array(OlderAgent) },
        },
      },
      async (request) => {
        const { data } = await parts.agents.page(request.account.id, request.query);
        return data.map(toOlderAgent);
      },
    );

    app.get(
      '/v1/agent/:id',
      { schema: { hide: true, params: IdParams, response: { 200: OlderAgent } } },
      async (request) => toOlderAgent(await findAgent(parts, request)),
    );

    app.patch(
      '/v1/agent/:id',
      {
        bodyLimit: AGENT_BODY_LIMIT,
        schema: {
          hide: true,
          params: IdParams,
          body: named(AgentChanges),
          response: { 204: Type.Null() },
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
      '/v1/agent/:id',
      { schema: { hide: true, params: IdParams, response: { 204: Type.Null() } } },
      async (request, reply) => {
        await deleteAgent(parts, request);
        return reply.code(204).send(null);
      },
    );
  };
