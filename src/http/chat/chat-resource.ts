import type { Resource } from '../resource/resource.ts';
import { chatRoutes } from './chat-routes.ts';
import { chatSchemas } from './chat-schemas.ts';

export const chat: Resource = {
  schemas: [...chatSchemas],
  routes: [chatRoutes],
};
