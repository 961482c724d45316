import type { Resource } from '../resource/resource.ts';
import { alertSchemas } from '../alerts/alert-schemas.ts';
import { HealthBody } from '../health/health-schemas.ts';
import { workerTokenSchemas } from '../workers/worker-token-schemas.ts';
import { canarySchemas } from './canary-schemas.ts';
import { fleetRoutes } from './fleet-routes.ts';
import { fleetSchemas } from './fleet-schemas.ts';
import { overflowSchemas } from './overflow-schemas.ts';

export const fleet: Resource = {
  schemas: [
    ...fleetSchemas,
    ...workerTokenSchemas,
    ...canarySchemas,
    ...overflowSchemas,
    ...alertSchemas,
    HealthBody,
  ],
  routes: [fleetRoutes],
  worksOnFullDisk: true,
};
