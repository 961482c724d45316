import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import type { Fleet } from '../../fleet/fleet.ts';
import type { Rooms } from '../../rooms/rooms.ts';

export type HealthParts = { rooms: Pick<Rooms, 'isUp'>; fleet: Pick<Fleet, 'counts'> };

const Readiness = Type.Object({
  ready: Type.Boolean(),
  media_server: Type.Boolean(),
  free_slots: Type.Integer(),
});

export const healthRoutes =
  ({ rooms, fleet }: HealthParts): FastifyPluginAsyncTypebox =>
  async (app) => {
    /** This process runs and answers. */
    app.get(
      '/healthz',
      {
        logLevel: 'warn',
        schema: { hide: true, response: { 200: Type.Object({ status: Type.String() }) } },
      },
      async () => ({ status: 'ok' }),
    );

    /** A session that is asked for now would get a face. */
    app.get(
      '/readyz',
      {
        logLevel: 'warn',
        schema: { hide: true, response: { 200: Readiness, 503: Readiness } },
      },
      async (_request, reply) => {
        // A fleet that cannot be counted has no slot to give.
        const count = fleet.counts().catch(() => ({ free: 0 }));
        const [isUp, { free }] = await Promise.all([rooms.isUp(), count]);
        const ready = isUp && free > 0;
        return reply.code(ready ? 200 : 503).send({ ready, media_server: isUp, free_slots: free });
      },
    );
  };
