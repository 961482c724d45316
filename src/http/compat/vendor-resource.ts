import type { Resource } from '../resource/resource.ts';
import { vendorRoutes } from './vendor-routes.ts';

export const vendors: Resource = {
  routes: [vendorRoutes],
};
