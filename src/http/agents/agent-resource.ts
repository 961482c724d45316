import type { Resource } from '../resource/resource.ts';
import { agentRoutes } from './agent-routes.ts';
import { agentSchemas } from './agent-schemas.ts';

export const agents: Resource = {
  schemas: [...agentSchemas],
  routes: [agentRoutes],
};
