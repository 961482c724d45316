import type { Resource } from '../resource/resource.ts';
import { healthRoutes } from './health-routes.ts';

export const health: Resource = {
  routes: [healthRoutes],
  worksOnFullDisk: true,
};
