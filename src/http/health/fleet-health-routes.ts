import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { SOFTWARE_VERSION } from '#shared/process/version.ts';
import type { Clock } from '#shared/clock.ts';
import type { DependencyChecks } from './dependency-checks.ts';
import { serviceHealth } from './service-health.ts';
import { answer, errors } from '../resource/schema-parts.ts';
import { fleetDoc } from '../fleet/fleet-schemas.ts';
import { HealthBody, toHealthItem } from './health-schemas.ts';

export type FleetHealthParts = {
  checks: Pick<DependencyChecks, 'run'>;
  /** Public addresses of the service and of its media server. */
  publicUrls: readonly string[];
  migrations: { own: string; newest(): Promise<string | null> };
  clock: Clock;
};

export const fleetHealthRoutes =
  ({ checks, publicUrls, migrations, clock }: FleetHealthParts): FastifyPluginAsyncTypebox =>
  async (app) => {
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
          serviceHealth(checks, publicUrls, clock),
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
