import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import { errors } from '../resource/schema-parts.ts';

export const authRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/v1/auth/verify',
    {
      config: { isForOperators: true },
      schema: {
        tags: ['Authentication'],
        summary: 'Verify API key',
        response: { 204: Type.Null({ description: 'The key is valid.' }), ...errors(401) },
      },
    },
    (_request, reply) => reply.code(204).send(null),
  );
};
