import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { callRecordRoutes, type CallParts } from '../calls.ts';

/** Calls, as those read them who put users before an agent without this API. */
export const conversationRoutes = (parts: Pick<CallParts, 'calls'>): FastifyPluginAsyncTypebox =>
  callRecordRoutes(parts, '/v1/conversations', ['Agent Conversations'], {
    one: 'conversation',
    many: 'conversations',
  });
