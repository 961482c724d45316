import type { Resource } from '../resource/resource.ts';
import { keySchemas } from '../admin/admin-schemas.ts';
import { ownKeyRoutes } from './own-key-routes.ts';

export const keys: Resource = {
  schemas: [...keySchemas],
  routes: [ownKeyRoutes],
};
