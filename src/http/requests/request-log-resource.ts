import type { Resource } from '../resource/resource.ts';
import { requestLogRoutes } from './request-log-routes.ts';
import { RequestLogBody } from './request-log-schemas.ts';

export const requestLog: Resource = {
  schemas: [RequestLogBody],
  routes: [requestLogRoutes],
};
