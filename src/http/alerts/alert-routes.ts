import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { openAlerts } from './open-alerts.ts';
import { AlertsBody, toAlertsBody } from './alert-schemas.ts';
import { answer, errors } from '../resource/schema-parts.ts';
import { fleetDoc } from '../fleet/fleet-schemas.ts';
import type { Services } from '../services.ts';

export const alertRoutes =
  (services: Services): FastifyPluginAsyncTypebox =>
  async (app) => {
    const watch = openAlerts(services);
    app.addHook('onClose', () => watch.close());

    app.get(
      '/v1/fleet/alerts',
      {
        schema: {
          ...fleetDoc,
          summary: 'List alerts',
          description:
            'Which of the rules in `deploy/prometheus` would fire, as far as the service knows it without Prometheus: from the fleet as it is, and from what all control planes have counted. Alerts that have held too short since a restart of this control plane are pending.',
          response: { 200: answer(AlertsBody, 'The alerts.'), ...errors(401) },
        },
      },
      async () => toAlertsBody(await watch.look()),
    );
  };
