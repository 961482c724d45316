/*
 * Signing in to the console, and the speech models of the installation. What else people do there
 * are the routes under /v1 and /admin.
 */
import type { FastifyPluginAsync } from 'fastify';
import { consoleLinkRoutes } from './link-routes.ts';
import { meRoutes } from './me-routes.ts';
import { consoleOpenidRoutes } from './openid-routes.ts';
import { speechModelRoutes } from './speech-model-routes.ts';
import { consoleSignInRoutes } from './sign-in-routes.ts';
import type { Services } from '../services.ts';

export const consoleRoutes =
  (services: Services): FastifyPluginAsync =>
  async (app) => {
    await app.register(apiRoutes(services), { prefix: '/console/api' });
  };

const apiRoutes =
  (services: Services): FastifyPluginAsync =>
  async (app) => {
    app.addHook('onRequest', async (_request, reply) => {
      reply.header('cache-control', 'no-store');
    });
    const openid = consoleOpenidRoutes(services);
    await app.register(openid.callback);
    await app.register(async (sameOrigin) => {
      // Also without a cookie: another site must not sign a visitor in.
      sameOrigin.addHook('onRequest', async (request) =>
        services.consoleAccess.requireSameOrigin(request),
      );
      await sameOrigin.register(openid.start);
      await sameOrigin.register(consoleSignInRoutes(services));
      await sameOrigin.register(consoleLinkRoutes(services));
      await sameOrigin.register(meRoutes(services));
      await sameOrigin.register(speechModelRoutes(services));
    });
  };
