import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import { Fault } from '../../errors.ts';
import { errors, IdParams, named } from '../resource/schema-parts.ts';
import { fleetDoc, LogLevelRequest } from './fleet-schemas.ts';
import type { Services } from '../services.ts';

export const logLevelRoutes =
  ({ fleet, auditor }: Services): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.post(
      '/v1/fleet/workers/:id/log-level',
      {
        schema: {
          ...fleetDoc,
          summary: 'Set log level of worker',
          description:
            'The worker logs at this level until it exits; sessions that have begun may keep theirs. Workers of older versions ignore it.',
          params: IdParams,
          body: named(LogLevelRequest),
          response: {
            204: Type.Null({ description: 'The order is on its way.' }),
            ...errors(401, 404, 422),
          },
        },
      },
      async (request, reply) => {
        const { id } = request.params;
        const { level } = request.body;
        if (!(await fleet.isConnected(id))) throw new Fault('not_found');
        const entry = { action: 'worker.log_level_set', targetId: id, accountId: null } as const;
        await auditor.record(request, { ...entry, after: { level } });
        await fleet.send(id, { type: 'set_log_level', level });
        return reply.code(204).send(null);
      },
    );
  };
