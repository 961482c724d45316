import type { Resource } from '../resource/resource.ts';
import { blobRoutes } from './blob-routes.ts';
import { workerCallRoutes } from './worker-call-routes.ts';
import { workerProtocolRoutes } from './worker-protocol-routes.ts';

export const workers: Resource = {
  routes: [blobRoutes, workerCallRoutes, () => workerProtocolRoutes],
  worksOnFullDisk: true,
};
