import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { callRecordRoutes, type CallParts } from '../calls/call-routes.ts';

/** The same records as `/v1/calls`, for clients that start calls from the room page. */
export const conversationRoutes = (parts: Pick<CallParts, 'calls'>): FastifyPluginAsyncTypebox =>
  callRecordRoutes(parts, '/v1/conversations', ['Agent Conversations'], {
    one: 'conversation',
    many: 'conversations',
  });
