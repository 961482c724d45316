import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { callRecordRoutes } from './call-routes.ts';
import type { Services } from '../services.ts';

/** The same records as `/v1/calls`, for clients that start calls from the room page. */
export const conversationRoutes = (services: Services): FastifyPluginAsyncTypebox =>
  callRecordRoutes(services, '/v1/conversations', ['Agent Conversations'], {
    one: 'conversation',
    many: 'conversations',
  });
