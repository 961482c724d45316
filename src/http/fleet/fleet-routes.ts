/* Fleet routes. Each requires a key with the scope `operator`. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Fault } from '../../errors.ts';
import { demandByPool } from '../../fleet/demand.ts';
import { ignoreBodies } from '../plumbing/ignored-body.ts';
import { answer, errors, IdParams } from '../resource/schema-parts.ts';
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
} from './fleet-schemas.ts';
import { canaryRoutes } from './canary-routes.ts';
import { overflowRoutes } from './overflow-routes.ts';
import { fleetEventRoutes } from './fleet-event-routes.ts';
import { fleetHealthRoutes } from '../health/fleet-health-routes.ts';
import { fleetHistoryRoutes } from '../history/history-routes.ts';
import { alertRoutes } from '../alerts/alert-routes.ts';
import { cordonRoutes } from './cordon-routes.ts';
import { logLevelRoutes } from './log-level-routes.ts';
import { rebalanceRoutes } from './rebalance-routes.ts';
import { workerTokenRoutes } from '../workers/worker-token-routes.ts';
import type { Services } from '../services.ts';

export const fleetRoutes =
  (services: Services): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.addHook('onRoute', (route) => {
      route.config = { ...route.config, isForOperators: true };
    });
    app.addHook('onRequest', async ({ scope }) => {
      if (scope !== 'operator') throw new Fault('forbidden');
    });
    await app.register(readRoutes(services));
    await app.register(cordonRoutes(services));
    await app.register(actionRoutes(services));
    await app.register(alertRoutes(services));
    await app.register(fleetEventRoutes(services));
    await app.register(fleetHealthRoutes(services));
    await app.register(fleetHistoryRoutes(services));
    await app.register(logLevelRoutes(services));
    await app.register(rebalanceRoutes(services));
    await app.register(canaryRoutes(services));
    await app.register(overflowRoutes(services));
    await app.register(workerTokenRoutes(services));
  };

const readRoutes =
  ({ fleet, reconciler, drains, settings }: Services): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(
      '/v1/fleet/workers',
      {
        schema: {
          ...fleetDoc,
          summary: 'List workers',
          description:
            'Workers that are connected now. Draining ones say when they will be empty at the latest.',
          response: { 200: answer(WorkerList, 'The workers.'), ...errors(401) },
        },
      },
      async () => {
        const workers = await fleet.workers();
        const forecasts = await drains.of(workers);
        return {
          data: workers.map((worker) =>
            toWorkerBody(worker, forecasts.get(worker.facts.workerId) ?? null),
          ),
        };
      },
    );

    app.get(
      '/v1/fleet/pressure',
      {
        logLevel: 'warn',
        schema: {
          ...fleetDoc,
          summary: 'Retrieve fleet pressure',
          description:
            'For autoscalers: the wanted number of workers and the figures behind it, for one pool, or for each pool and in total.',
          querystring: PressureQuery,
          response: { 200: answer(PressureBody, 'The pressure.'), ...errors(401, 422) },
        },
      },
      async (request) =>
        toPressureBody(await demandByPool(fleet, settings.warmSlots, request.query.pool)),
    );

    app.get(
      '/v1/fleet/audit',
      {
        schema: {
          ...fleetDoc,
          summary: 'Audit the fleet',
          description:
            'Compares slots, sessions, records, performing workers and rooms. New differences may be changes in progress; lasting ones are repaired within minutes.',
          response: { 200: answer(AuditBody, 'The differences found.'), ...errors(401) },
        },
      },
      async () => toAuditBody(await reconciler.look()),
    );
  };

const actionRoutes =
  ({ fleet, reconciler, drains, auditor }: Services): FastifyPluginAsyncTypebox =>
  async (app) => {
    ignoreBodies(app);

    app.post(
      '/v1/fleet/workers/:id/drain',
      {
        schema: {
          ...fleetDoc,
          summary: 'Drain worker',
          description: 'The worker takes no new sessions, finishes the running ones and stops.',
          params: IdParams,
          response: { 202: answer(WorkerBody, 'The worker, now draining.'), ...errors(401, 404) },
        },
      },
      async (request, reply) => {
        const { id } = request.params;
        const find = async () => (await fleet.workers()).find(({ facts }) => facts.workerId === id);
        if (!(await find())) throw new Fault('not_found');
        const draining = { action: 'worker.drained', targetId: id, accountId: null } as const;
        await auditor.record(request, draining);
        const isDraining = await fleet.drain(id);
        const worker = await find();
        if (!isDraining || !worker) throw new Fault('not_found');
        request.log.info({ workerId: id }, 'worker drain requested');
        const forecast = (await drains.of([worker])).get(id) ?? null;
        return reply.code(202).send(toWorkerBody(worker, forecast));
      },
    );

    app.post(
      '/v1/fleet/audit/repair',
      {
        schema: {
          ...fleetDoc,
          summary: 'Audit the fleet and repair it',
          description:
            'Runs the repair now instead of within a minute. Differences younger than ten seconds, or seen for the first time, are not repaired.',
          response: {
            200: answer(AuditBody, 'The differences found and repaired.'),
            ...errors(401),
          },
        },
      },
      async (request) => {
        const audit = toAuditBody(await reconciler.look());
        const repairing = { action: 'fleet.repaired', targetId: null, accountId: null } as const;
        await auditor.record(request, { ...repairing, before: audit });
        return toAuditBody(await reconciler.repair());
      },
    );
  };
