import type { FastifyInstance, RouteOptions } from 'fastify';
import type { DiskSpace } from '../../records/engine/disk-space.ts';
import { errors } from '../resource/schema-parts.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** For a GET that stores something. */
    stores?: boolean;
  }
}

const STORING = new Set(['POST', 'PUT', 'PATCH']);
const ENDS_SESSION = /\/(end|terminate)$/;

/**
 * Requests that store something get 507 while the disk is almost full. Reads, deletions and ends of
 * sessions go on. Applies to every route that `app` registers afterwards.
 */
export function requireDiskSpace(app: FastifyInstance, space: Pick<DiskSpace, 'check'>): void {
  app.addHook('onRoute', (route) => {
    if (!isStoring(route)) return;
    route.config = {
      ...route.config,
      errorAnswers: { ...errors(507), ...route.config?.errorAnswers },
    };
    const hooks = [route.onRequest ?? []].flat();
    route.onRequest = [...hooks, () => space.check()];
  });
}

const isStoring = ({ method, url, config }: RouteOptions): boolean =>
  config?.stores || ([method].flat().some((each) => STORING.has(each)) && !ENDS_SESSION.test(url));
