import type { Resource } from '../resource/resource.ts';
import { AdminInvitationRequest } from '../people/people-schemas.ts';
import { adminNameSchemas } from './admin-name-schemas.ts';
import { adminRoutes } from './admin-routes.ts';
import { adminSchemas } from './admin-schemas.ts';

export const admin: Resource = {
  schemas: [...adminSchemas, ...adminNameSchemas, AdminInvitationRequest],
  routes: [adminRoutes],
  worksOnFullDisk: true,
};
