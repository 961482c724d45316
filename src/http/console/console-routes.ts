/* Signing in to the console. What people do there afterwards are the routes under /v1 and /admin. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { consoleLinkRoutes, type ConsoleLinkParts } from './link-routes.ts';
import { meRoutes, type MeParts } from './me-routes.ts';
import { consoleOpenidRoutes, type ConsoleOpenidParts } from './openid-routes.ts';
import { consoleSignInRoutes, type ConsoleSignInParts } from './sign-in-routes.ts';

export type ConsoleParts = ConsoleLinkParts & ConsoleOpenidParts & ConsoleSignInParts & MeParts;

export const consoleRoutes =
  (parts: ConsoleParts): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.addHook('onRequest', async (_request, reply) => {
      reply.header('cache-control', 'no-store');
    });
    await app.register(consoleOpenidRoutes(parts));
    await app.register(async (own) => {
      // Also without a cookie: another site must not sign a visitor in.
      own.addHook('onRequest', async (request) => parts.access.requireSameOrigin(request));
      await own.register(consoleSignInRoutes(parts));
      await own.register(consoleLinkRoutes(parts));
      await own.register(meRoutes(parts));
    });
  };
