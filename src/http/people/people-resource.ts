import type { Resource } from '../resource/resource.ts';
import { invitationRoutes } from './invitation-routes.ts';
import { peopleRoutes } from './people-routes.ts';
import { peopleSchemas } from './people-schemas.ts';

export const people: Resource = {
  schemas: [...peopleSchemas],
  routes: [peopleRoutes, invitationRoutes],
};
