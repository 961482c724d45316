import type { FastifyInstance, FastifyPluginAsync } from 'fastify';
import type { TSchema } from 'typebox';
import { requireDiskSpace } from '../limits/disk-space.ts';
import type { Services } from '../services.ts';

/** A part of the API. */
export type Resource = {
  /** Schemas with a name in the API document. */
  schemas?: readonly TSchema[];
  routes: readonly ((services: Services) => FastifyPluginAsync)[];
  /** Its routes answer although the disk is almost full. */
  worksOnFullDisk?: boolean;
};

export async function registerResources(
  app: FastifyInstance,
  resources: readonly Resource[],
  services: Services,
): Promise<void> {
  for (const { routes, worksOnFullDisk = false } of resources) {
    await app.register(async (scope) => {
      if (!worksOnFullDisk) requireDiskSpace(scope, services.records.diskSpace);
      for (const register of routes) await scope.register(register(services));
    });
  }
}

export const schemasOf = (resources: readonly Resource[]): TSchema[] =>
  resources.flatMap(({ schemas = [] }) => schemas);
