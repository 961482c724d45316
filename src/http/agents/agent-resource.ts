import type { Resource } from '../resource/resource.ts';
import { abilityRoutes } from './ability-routes.ts';
import { AbilitiesBody } from './ability-schemas.ts';
import { agentRoutes } from './agent-routes.ts';
import { agentSchemas } from './agent-schemas.ts';
import { logoRoutes } from './logo-routes.ts';

export const agents: Resource = {
  schemas: [...agentSchemas, AbilitiesBody],
  routes: [agentRoutes, abilityRoutes],
};

export const agentLogos: Resource = { routes: [logoRoutes], worksOnFullDisk: true };
