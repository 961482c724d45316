import type { FastifyInstance } from 'fastify';
import { addRateLimits } from './limits/rate-limit.ts';
import { serveMetrics } from './metrics/metrics.ts';
import { serveDocument } from './openapi.ts';
import { createFastify } from './plumbing/fastify-app.ts';
import { traceRequests } from './plumbing/request-traces.ts';
import { registerResources, schemasOf } from './resource/resource.ts';
import { ErrorBody, ValidationErrorBody } from './resource/schema-parts.ts';
import { resources } from './resources.ts';
import { createServices, type DomainServices } from './services.ts';

/** Creates the server of the API and the pages. It closes none of the domain's services. */
export async function createHttp(domain: DomainServices): Promise<FastifyInstance> {
  const services = createServices(domain);
  const { adminPassword, idempotency, settings, tracer } = services;
  const app = await createFastify(services);
  app.addHook('onClose', () => idempotency.close());
  for (const schema of [ErrorBody, ValidationErrorBody, ...schemasOf(resources)])
    app.addSchema(schema);
  await addRateLimits(app, services);
  serveMetrics(app, services);
  if (tracer) traceRequests(app, services, tracer);
  const { publicUrl } = settings;
  await serveDocument(app, { publicUrl, hasAdmin: adminPassword !== null });
  await registerResources(app, resources, services);
  await app.ready();
  return app;
}
