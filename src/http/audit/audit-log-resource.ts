import type { Resource } from '../resource/resource.ts';
import { auditLogRoutes } from './audit-log-routes.ts';
import { auditSchemas } from './audit-log-schemas.ts';

export const auditLog: Resource = {
  schemas: [...auditSchemas],
  routes: [auditLogRoutes],
};
