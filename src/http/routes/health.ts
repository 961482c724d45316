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
    // Liveness.
    app.get(
      '/healthz',
      {
        logLevel: 'warn',
        schema: { hide: true, response: { 200: Type.Object({ status: Type.String() }) } },
      },
      async () => ({ status: 'ok' }),
    );

    // Readiness: a session created now would get a slot.
    app.get(
      '/readyz',
      {
        logLevel: 'warn',
        schema: { hide: true, response: { 200: Readiness, 503: Readiness } },
      },
      async (_request, reply) => {
        // If the fleet cannot be counted, assume no free slot.
        const count = fleet.counts().catch(() => ({ free: 0 }));
        const [isUp, { free }] = await Promise.all([rooms.isUp(), count]);
        const ready = isUp && free > 0;
        return reply.code(ready ? 200 : 503).send({ ready, media_server: isUp, free_slots: free });
      },
    );
  };
