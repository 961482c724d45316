import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import type { WorkerTokens } from '../../accounts/worker-tokens.ts';
import { Fault } from '../../errors.ts';
import type { WorkerTokenRecords } from '../../records/worker-tokens.ts';
import { ignoreBodies } from '../ignored-body.ts';
import {
  answer,
  DEFAULT_LIMIT,
  errors,
  IdParams,
  named,
  PageQuery,
  toPage,
} from '../schemas/common.ts';
import {
  fleetDoc,
  MadeWorkerToken,
  toWorkerTokenBody,
  WorkerTokenPage,
  WorkerTokenRequest,
} from '../schemas/fleet.ts';

export type WorkerTokenParts = {
  workerTokens: Pick<WorkerTokens, 'make' | 'revoke'>;
  workerTokenRecords: Pick<WorkerTokenRecords, 'page'>;
};

export const workerTokenRoutes =
  (parts: WorkerTokenParts): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { workerTokens, workerTokenRecords } = parts;

    app.post(
      '/v1/fleet/worker-tokens',
      {
        schema: {
          ...fleetDoc,
          summary: 'Create worker token',
          description: 'For a worker, or several, as their WORKER_TOKEN.',
          body: named(WorkerTokenRequest),
          response: { 201: answer(MadeWorkerToken, 'The token, this once.'), ...errors(401, 422) },
        },
      },
      async (request, reply) => {
        const { text, ...token } = await workerTokens.make(request.body.name);
        request.log.info({ workerTokenId: token.id }, 'worker token made');
        reply.header('cache-control', 'no-store');
        return reply.code(201).send({ ...toWorkerTokenBody(token), token: text });
      },
    );

    app.get(
      '/v1/fleet/worker-tokens',
      {
        schema: {
          ...fleetDoc,
          summary: 'List worker tokens',
          description: 'Most recent first; revoked ones too.',
          querystring: PageQuery,
          response: { 200: answer(WorkerTokenPage, 'One page.'), ...errors(401, 422) },
        },
      },
      async (request) => {
        const { limit = DEFAULT_LIMIT, cursor } = request.query;
        const { data, nextCursor } = await workerTokenRecords.page({ limit, cursor });
        return toPage(data.map(toWorkerTokenBody), nextCursor);
      },
    );

    await app.register(revokeRoute(parts));
  };

const revokeRoute =
  ({ workerTokens }: WorkerTokenParts): FastifyPluginAsyncTypebox =>
  async (app) => {
    ignoreBodies(app);
    app.delete(
      '/v1/fleet/worker-tokens/:id',
      {
        schema: {
          ...fleetDoc,
          summary: 'Revoke worker token',
          description:
            'It opens nothing from now on, for good. Workers that came with it are sent away at once, and their sessions go on elsewhere.',
          params: IdParams,
          response: { 204: Type.Null({ description: 'Revoked.' }), ...errors(401, 404) },
        },
      },
      async (request, reply) => {
        const { id } = request.params;
        if (!(await workerTokens.revoke(id))) throw new Fault('not_found');
        request.log.info({ workerTokenId: id }, 'worker token revoked');
        return reply.code(204).send(null);
      },
    );
  };
