import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import { Fault } from '../../errors.ts';
import type { WorkerStatus } from '../../fleet/fleet.ts';
import type { CordonRecords } from '../../records/fleet/cordons.ts';
import { ignoreBodies } from '../plumbing/ignored-body.ts';
import { answer, errors, IdParams } from '../resource/schema-parts.ts';
import { fleetDoc, toWorkerBody, WorkerBody } from './fleet-schemas.ts';
import type { Services } from '../services.ts';

type Action = {
  name: 'worker.cordoned' | 'worker.resumed';
  change: (records: CordonRecords, workerId: string) => Promise<boolean>;
};

export const cordonRoutes =
  (services: Services): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { clock } = services;
    ignoreBodies(app);

    app.post(
      '/v1/fleet/workers/:id/cordon',
      {
        schema: {
          ...fleetDoc,
          summary: 'Cordon worker',
          description:
            'The worker takes no new sessions until it is resumed, and keeps its own. It stays cordoned when it reconnects.',
          params: IdParams,
          response: {
            200: answer(WorkerBody, 'The worker, now cordoned.'),
            ...errors(401, 404, 409),
          },
        },
      },
      (request) =>
        act(services, request, request.params.id, {
          name: 'worker.cordoned',
          change: (records, id) => records.add(id, clock.now()),
        }),
    );

    app.post(
      '/v1/fleet/workers/:id/resume',
      {
        schema: {
          ...fleetDoc,
          summary: 'Resume worker',
          description: 'A cordoned worker takes new sessions again.',
          params: IdParams,
          response: {
            200: answer(WorkerBody, 'The worker, no longer cordoned.'),
            ...errors(401, 404, 409),
          },
        },
      },
      (request) =>
        act(services, request, request.params.id, {
          name: 'worker.resumed',
          change: (records, id) => records.remove(id),
        }),
    );
  };

async function act(
  { fleet, cordons, auditor }: Services,
  request: FastifyRequest,
  id: string,
  { name, change }: Action,
) {
  if ((await workerOf(fleet, id)).state === 'draining')
    throw new Fault('conflict', {
      detail: 'The worker is draining: it takes no new sessions and stops after its last one.',
    });
  const entry = { action: name, targetId: id, accountId: null };
  await auditor.change(request, entry, (records) => change(records.cordons, id));
  await cordons.changed();
  request.log.info({ workerId: id }, name);
  return toWorkerBody(await workerOf(fleet, id), null);
}

async function workerOf(fleet: Services['fleet'], id: string): Promise<WorkerStatus> {
  const worker = (await fleet.workers()).find(({ facts }) => facts.workerId === id);
  if (!worker) throw new Fault('not_found');
  return worker;
}
