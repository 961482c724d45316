import type { Resource } from '../resource/resource.ts';
import { consoleRoutes } from './console-routes.ts';

export const consoleApi: Resource = {
  routes: [consoleRoutes],
  worksOnFullDisk: true,
};
