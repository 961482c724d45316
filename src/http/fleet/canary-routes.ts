import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import { Fault, problem } from '../../errors.ts';
import { DEFAULT_POOL } from '../../fleet/fleet.ts';
import { ignoreBodies } from '../plumbing/ignored-body.ts';
import { CanaryBody, CanaryRequest, toCanaryBody } from './canary-schemas.ts';
import { answer, errors, named } from '../resource/schema-parts.ts';
import { fleetDoc } from './fleet-schemas.ts';
import type { Services } from '../services.ts';

const PATH = '/v1/fleet/canary';

/** The canary belongs to the installation. */
const ofInstallation = { targetId: null, accountId: null };

export const canaryRoutes =
  ({ canary, records: { canaries }, auditor, clock }: Services): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(
      PATH,
      {
        schema: {
          ...fleetDoc,
          summary: 'Retrieve the canary',
          description: 'How the pool on trial compares with the other one.',
          response: { 200: answer(CanaryBody, 'The canary.'), ...errors(401, 404) },
        },
      },
      async () => {
        const record = await canaries.find();
        if (!record) throw new Fault('not_found');
        return toCanaryBody(record);
      },
    );

    app.put(
      PATH,
      {
        schema: {
          ...fleetDoc,
          summary: 'Start a canary',
          description:
            'A share of new sessions tries another pool of workers, until significantly more of them fail. Replaces the canary before and counts from zero.',
          body: named(CanaryRequest),
          response: { 200: answer(CanaryBody, 'The canary.'), ...errors(401, 422) },
        },
      },
      async (request) => {
        const { pool, stable_pool: stablePool = DEFAULT_POOL, share_percent } = request.body;
        if (pool === stablePool)
          throw problem('value_error', ['body', 'pool'], 'Must differ from stable_pool', pool);
        const begun = await auditor.create(
          request,
          (records) =>
            records.canaries.begin({ pool, stablePool, sharePercent: share_percent }, clock.now()),
          (record) => ({
            ...ofInstallation,
            action: 'canary.started',
            targetId: record.id,
            after: { pool, stable_pool: stablePool, share_percent },
          }),
        );
        await canary.refresh();
        request.log.info({ pool, stablePool, share_percent }, 'canary started');
        return toCanaryBody(begun);
      },
    );

    await app.register(async (bodiless) => {
      ignoreBodies(bodiless);
      bodiless.delete(
        PATH,
        {
          schema: {
            ...fleetDoc,
            summary: 'End the canary',
            description: 'All new sessions go to their own pool. Running ones stay.',
            response: { 204: Type.Null({ description: 'Ended.' }), ...errors(401, 404) },
          },
        },
        async (request, reply) => {
          const ended = { ...ofInstallation, action: 'canary.ended' } as const;
          const isEnded = await auditor.change(request, ended, (records) =>
            records.canaries.remove(),
          );
          if (!isEnded) throw new Fault('not_found');
          await canary.refresh();
          return reply.code(204).send(null);
        },
      );
    });
  };
