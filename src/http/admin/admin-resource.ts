import type { Resource } from '../resource/resource.ts';
import { AdminInvitationRequest } from '../people/people-schemas.ts';
import { administratorSchemas } from './administrator-schemas.ts';
import { adminRoutes } from './admin-routes.ts';
import { domainSchemas } from './domain-schemas.ts';
import { adminSchemas } from './admin-schemas.ts';

export const admin: Resource = {
  schemas: [...adminSchemas, ...administratorSchemas, ...domainSchemas, AdminInvitationRequest],
  routes: [adminRoutes],
  worksOnFullDisk: true,
};
