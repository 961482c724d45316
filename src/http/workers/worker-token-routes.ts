import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import { answer, errors, named } from '../resource/schema-parts.ts';
import { fleetDoc } from '../fleet/fleet-schemas.ts';
import {
  MadeWorkerToken,
  toWorkerTokenBody,
  WorkerTokenPage,
  WorkerTokenRequest,
} from './worker-token-schemas.ts';
import { deleteRoute, listRoute } from '../resource/resource-routes.ts';
import type { Services } from '../services.ts';

export const workerTokenRoutes =
  (services: Services): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { workerTokens, records, auditor } = services;
    /** Worker tokens belong to the installation. */
    const accountId = null;

    app.post(
      '/v1/fleet/worker-tokens',
      {
        schema: {
          ...fleetDoc,
          summary: 'Create worker token',
          description:
            'One or more workers use it as their WORKER_TOKEN. With `kind` or `pool`, others are refused.',
          body: named(WorkerTokenRequest),
          response: {
            201: answer(MadeWorkerToken, 'The token. It is shown only once.'),
            ...errors(401, 422),
          },
        },
      },
      async (request, reply) => {
        const { name, ...limits } = request.body;
        const { text, ...token } = await auditor.create(
          request,
          (records) => workerTokens.make(name, limits, records.workerTokens),
          (token) => ({
            action: 'worker_token.created',
            targetId: token.id,
            accountId,
            after: toWorkerTokenBody(token),
          }),
        );
        request.log.info({ workerTokenId: token.id }, 'worker token created');
        reply.header('cache-control', 'no-store');
        return reply.code(201).send({ ...toWorkerTokenBody(token), token: text });
      },
    );

    listRoute(app, '/v1/fleet/worker-tokens', {
      schema: {
        ...fleetDoc,
        summary: 'List worker tokens',
        description: 'Most recent first, including revoked ones.',
        response: { 200: answer(WorkerTokenPage, 'One page.'), ...errors(401, 422) },
      },
      read: (_request, page) => records.workerTokens.page(page),
      toBody: toWorkerTokenBody,
    });

    await deleteRoute(app, '/v1/fleet/worker-tokens/:id', {
      schema: {
        ...fleetDoc,
        summary: 'Revoke worker token',
        description:
          'Takes effect at once and cannot be undone. Workers that use it are disconnected, and their sessions move to other workers.',
        response: { 204: Type.Null({ description: 'Revoked.' }), ...errors(401, 404) },
      },
      remove: async (request) => {
        const { id } = request.params;
        const revoked = { action: 'worker_token.revoked', targetId: id, accountId } as const;
        const isRevoked = await workerTokens.revoke(id, (revoke) =>
          auditor.change(request, revoked, (records) => revoke(records.workerTokens)),
        );
        if (isRevoked) request.log.info({ workerTokenId: id }, 'worker token revoked');
        return isRevoked;
      },
    });
  };
