import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { requireFeature } from '../../accounts/limits.ts';
import { openCall, opening, type CallParts } from './calls.ts';

/** One endpoint under two names: that of the interface, and that of published clients. */
const names = [
  { path: '/v1/mediaserver-rooms', summary: 'Mint credentials for a room with an agent' },
  { path: '/v1/livekit-rooms', summary: 'Mint credentials for a LiveKit room with an agent' },
];

/** Credentials for a room in which an agent performs: a call, for those who drive the media session from an SDK. */
export const roomRoutes =
  (parts: CallParts): FastifyPluginAsyncTypebox =>
  async (app) => {
    for (const { path, summary } of names) {
      app.post(
        path,
        {
          // Before the body is looked at: no body would help.
          preValidation: async ({ account }) => requireFeature(account, 'mediaserver_rooms'),
          schema: {
            tags: ['Agent Integration'],
            summary,
            description: 'Growth plan and above. The answer is a call.',
            ...opening,
          },
        },
        async (request, reply) => {
          const { status, body } = await openCall(parts, request);
          return reply.code(status).send(body);
        },
      );
    }
  };
