import type { Resource } from '../resource/resource.ts';
import { callRoutes } from './call-routes.ts';
import { callSchemas } from './call-schemas.ts';
import { conversationRoutes } from './conversation-routes.ts';
import { roomRoutes } from './room-routes.ts';

export const calls: Resource = {
  schemas: [...callSchemas],
  routes: [callRoutes, conversationRoutes, roomRoutes],
};
