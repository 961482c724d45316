import type { Resource } from '../resource/resource.ts';
import { ownAccountRoutes } from './account-routes.ts';
import { OwnAccount } from './account-schemas.ts';
import { usageRoutes } from './usage-routes.ts';
import { UsageBody } from './usage-schemas.ts';

export const account: Resource = {
  schemas: [OwnAccount, UsageBody],
  routes: [ownAccountRoutes, usageRoutes],
};
