import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import {
  OlderAgent,
  OlderAgentChanges,
  OlderAgentRequest,
  toOlderAgent,
} from '../agents/agent-schemas.ts';
import { IdempotencyHeader, OlderQuery } from '../resource/schema-parts.ts';
import { AGENT_BODY_LIMIT, changeAgent, createAgent, deleteAgent } from '../agents/agent-routes.ts';
import { deleteRoute, retrieveRoute, updateRoute } from '../resource/resource-routes.ts';
import type { Services } from '../services.ts';

/** `/v1/agent`: deprecated form of `/v1/agents`. */
export const olderAgentRoutes =
  (services: Services): FastifyPluginAsyncTypebox =>
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
        const { status, body } = await createAgent(services, request, toOlderAgent);
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
        const { data } = await services.records.agents.page(request.account.id, request.query);
        return data.map(toOlderAgent);
      },
    );

    retrieveRoute(app, '/v1/agent/:id', {
      schema: { hide: true, response: { 200: OlderAgent } },
      find: ({ account, params }) => services.records.agents.find(account.id, params.id),
      toBody: toOlderAgent,
    });

    updateRoute(app, '/v1/agent/:id', {
      bodyLimit: AGENT_BODY_LIMIT,
      schema: { hide: true, body: OlderAgentChanges },
      update: (request) => changeAgent(services, request),
    });

    await deleteRoute(app, '/v1/agent/:id', {
      schema: { hide: true },
      remove: (request) => deleteAgent(services, request),
    });
  };
