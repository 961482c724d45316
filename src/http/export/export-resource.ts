import type { Resource } from '../resource/resource.ts';
import { exportRoutes } from './export-routes.ts';

export const accountExport: Resource = {
  routes: [exportRoutes],
  worksOnFullDisk: true,
};
