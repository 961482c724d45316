import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { requireFeature } from '../../accounts/limits.ts';
import { openCall, opening } from './call-routes.ts';
import type { Services } from '../services.ts';

/** One endpoint under two names: the documented one, and the one published clients use. */
const names = [
  { path: '/v1/mediaserver-rooms', summary: 'Mint credentials for a room with an agent' },
  { path: '/v1/livekit-rooms', summary: 'Mint credentials for a LiveKit room with an agent' },
];

/** Opens a call for clients that drive the media session from an SDK. */
export const roomRoutes =
  (services: Services): FastifyPluginAsyncTypebox =>
  async (app) => {
    for (const { path, summary } of names) {
      app.post(
        path,
        {
          // Before body validation: without the feature no body is accepted.
          preValidation: async ({ account }) => requireFeature(account, 'mediaserver_rooms'),
          schema: {
            tags: ['Agent Integration'],
            summary,
            description: 'Growth plan and above. Returns a call.',
            ...opening,
          },
        },
        async (request, reply) => {
          const { status, body } = await openCall(services, request);
          return reply.code(status).send(body);
        },
      );
    }
  };
