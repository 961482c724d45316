import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { answer, errors, named } from '../resource/schema-parts.ts';
import { fleetDoc, RebalanceBody, RebalanceRequest, toRebalanceBody } from './fleet-schemas.ts';
import type { Services } from '../services.ts';

export const rebalanceRoutes =
  ({ rebalancing, auditor }: Services): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.post(
      '/v1/fleet/rebalance',
      {
        schema: {
          ...fleetDoc,
          summary: 'Rebalance the fleet',
          description:
            'Moves the longest sessions off overloaded workers, each at its next pause in speech, to workers with free slots. Sessions for which there is no slot stay.',
          body: named(RebalanceRequest),
          response: {
            202: answer(RebalanceBody, 'The sessions that are asked to move.'),
            ...errors(401, 404, 409, 422),
          },
        },
      },
      async (request, reply) => {
        const { worker_id: workerId, sessions: count } = request.body;
        const plan = await rebalancing.plan({
          ...(workerId !== undefined && { workerId }),
          ...(count !== undefined && { count }),
        });
        const body = toRebalanceBody(plan);
        const change = { action: 'fleet.rebalanced', targetId: workerId ?? null } as const;
        await auditor.record(request, { ...change, accountId: null, after: body });
        for (const relief of plan) rebalancing.relieve(relief);
        return reply.code(202).send(body);
      },
    );
  };
