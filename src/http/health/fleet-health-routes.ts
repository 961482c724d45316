import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { SOFTWARE_VERSION } from '#shared/process/version.ts';
import { agentJobsHealth, hearingHealth, installHealth, serviceHealth } from './service-health.ts';
import { answer, errors } from '../resource/schema-parts.ts';
import { fleetDoc } from '../fleet/fleet-schemas.ts';
import { HealthBody, toHealthItem } from './health-schemas.ts';
import type { Services } from '../services.ts';

export const fleetHealthRoutes =
  (services: Services): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { readiness, settings, refusedJobs, installing, fleet, clock } = services;
    const { migrations } = services.records;
    const { publicUrl, mediaServerUrl } = settings;
    const publicUrls = [publicUrl, mediaServerUrl].filter((url) => url !== undefined);
    app.get(
      '/v1/fleet/health',
      {
        schema: {
          ...fleetDoc,
          summary: 'Check health',
          description:
            'Of what this control plane depends on, its certificates, the jobs that LiveKit agents of the built-in media server did not take, agent workers that are too slow for speech recognition, what `npm start` is installing for agents, its version, and the migrations of the database. A newer version may have migrated it further.',
          response: { 200: answer(HealthBody, 'The health.'), ...errors(401) },
        },
      },
      async () => {
        const [items, jobs, parts, workers, newest] = await Promise.all([
          serviceHealth(readiness.checks, publicUrls, clock),
          refusedJobs(),
          installing(),
          // While Redis or the database is away, `data` says so.
          fleet.workers().catch(() => []),
          migrations.newest().catch(() => null),
        ]);
        return {
          data: [
            ...items,
            ...agentJobsHealth(jobs),
            ...hearingHealth(workers),
            ...installHealth(parts),
          ].map(toHealthItem),
          version: SOFTWARE_VERSION,
          migration: {
            own: migrations.own,
            newest,
            is_newer: newest !== null && newest > migrations.own,
          },
        };
      },
    );
  };
