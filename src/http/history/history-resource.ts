import type { Resource } from '../resource/resource.ts';
import { historyRoutes } from './history-routes.ts';
import { historySchemas } from './history-schemas.ts';

export const history: Resource = {
  schemas: [...historySchemas],
  routes: [historyRoutes],
};
