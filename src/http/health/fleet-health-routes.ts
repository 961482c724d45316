import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { SOFTWARE_VERSION } from '#shared/process/version.ts';
import { serviceHealth } from './service-health.ts';
import { answer, errors } from '../resource/schema-parts.ts';
import { fleetDoc } from '../fleet/fleet-schemas.ts';
import { HealthBody, toHealthItem } from './health-schemas.ts';
import type { Services } from '../services.ts';

export const fleetHealthRoutes =
  ({ readiness, records: { migrations }, settings, clock }: Services): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { publicUrl, mediaServerUrl } = settings;
    const publicUrls = [publicUrl, mediaServerUrl].filter((url) => url !== undefined);
    app.get(
      '/v1/fleet/health',
      {
        schema: {
          ...fleetDoc,
          summary: 'Check health',
          description:
            'Of what this control plane depends on, its certificates, its version, and the migrations of the database. A newer version may have migrated it further.',
          response: { 200: answer(HealthBody, 'The health.'), ...errors(401) },
        },
      },
      async () => {
        const [items, newest] = await Promise.all([
          serviceHealth(readiness.checks, publicUrls, clock),
          // While the database is away, `data` says so.
          migrations.newest().catch(() => null),
        ]);
        return {
          data: items.map(toHealthItem),
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
