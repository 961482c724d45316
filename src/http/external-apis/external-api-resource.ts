import type { Resource } from '../resource/resource.ts';
import { externalApiRoutes } from './external-api-routes.ts';
import { externalApiSchemas } from './external-api-schemas.ts';

export const externalApis: Resource = {
  schemas: [...externalApiSchemas],
  routes: [externalApiRoutes],
};
