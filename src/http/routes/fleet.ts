/* The fleet, for whoever runs it: every route wants a key of the scope `operator`. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Fault } from '../../errors.ts';
import type { Fleet } from '../../fleet/fleet.ts';
import { demandByPool } from '../../fleet/demand.ts';
import type { Reconciler } from '../../sessions/reconciliation/reconciler.ts';
import { ignoreBodies } from '../ignored-body.ts';
import { answer, errors, IdParams } from '../schemas/common.ts';
import {
  AuditBody,
  fleetDoc,
  PressureBody,
  PressureQuery,
  toAuditBody,
  toPressureBody,
  toWorkerBody,
  WorkerBody,
  WorkerList,
} from '../schemas/fleet.ts';
import { workerTokenRoutes, type WorkerTokenParts } from './worker-tokens.ts';

export type FleetParts = {
  fleet: Pick<Fleet, 'countsByPool' | 'workers' | 'drain'>;
  reconciler: Pick<Reconciler, 'look' | 'repair'>;
  /** How many slots of each pool shall be free at any time. */
  warmSlots: number;
} & WorkerTokenParts;

export const fleetRoutes =
  (parts: FleetParts): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.addHook('onRoute', (route) => {
      route.config = { ...route.config, isForOperators: true };
    });
    app.addHook('onRequest', async ({ scope }) => {
      if (scope !== 'operator') throw new Fault('forbidden');
    });
    await app.register(lookRoutes(parts));
    await app.register(actRoutes(parts));
    await app.register(workerTokenRoutes(parts));
  };

const lookRoutes =
  ({ fleet, reconciler, warmSlots }: FleetParts): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(
      '/v1/fleet/workers',
      {
        schema: {
          ...fleetDoc,
          summary: 'List workers',
          description: 'Those that are connected now.',
          response: { 200: answer(WorkerList, 'The workers.'), ...errors(401) },
        },
      },
      async () => ({ data: (await fleet.workers()).map(toWorkerBody) }),
    );

    app.get(
      '/v1/fleet/pressure',
      {
        logLevel: 'warn',
        schema: {
          ...fleetDoc,
          summary: 'Retrieve fleet pressure',
          description:
            'For an autoscaler: how many workers there should be, and why. Of one pool, or of each one and of all together.',
          querystring: PressureQuery,
          response: { 200: answer(PressureBody, 'The pressure.'), ...errors(401, 422) },
        },
      },
      async (request) => toPressureBody(await demandByPool(fleet, warmSlots, request.query.pool)),
    );

    app.get(
      '/v1/fleet/audit',
      {
        schema: {
          ...fleetDoc,
          summary: 'Audit the fleet',
          description:
            'Compares slots, sessions, rows, what workers perform, and rooms. What is new may be on its way; what stays is repaired within minutes.',
          response: { 200: answer(AuditBody, 'What was found.'), ...errors(401) },
        },
      },
      async () => toAuditBody(await reconciler.look()),
    );
  };

const actRoutes =
  ({ fleet, reconciler }: FleetParts): FastifyPluginAsyncTypebox =>
  async (app) => {
    ignoreBodies(app);

    app.post(
      '/v1/fleet/workers/:id/drain',
      {
        schema: {
          ...fleetDoc,
          summary: 'Drain worker',
          description: 'It takes nothing new, finishes what runs, and stops.',
          params: IdParams,
          response: { 202: answer(WorkerBody, 'It was told.'), ...errors(401, 404) },
        },
      },
      async (request, reply) => {
        const { id } = request.params;
        const isTold = await fleet.drain(id);
        const worker = (await fleet.workers()).find(({ facts }) => facts.workerId === id);
        if (!isTold || !worker) throw new Fault('not_found');
        request.log.info({ workerId: id }, 'worker told to drain');
        return reply.code(202).send(toWorkerBody(worker));
      },
    );

    app.post(
      '/v1/fleet/audit/repair',
      {
        schema: {
          ...fleetDoc,
          summary: 'Audit the fleet and repair it',
          description:
            'Now, instead of within the next minute. What is different since less than ten seconds, or for the first time, is left alone.',
          response: { 200: answer(AuditBody, 'What was found and done.'), ...errors(401) },
        },
      },
      async () => toAuditBody(await reconciler.repair()),
    );
  };
