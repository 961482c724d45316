/*
 * Accounts, their keys and domains, administrators and invitations. Every route requires the admin
 * password, the sign-in of an administrator, or an operator at the console. Without a password only
 * the last exist.
 */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { AdminAccess } from '../auth/admin-access.ts';
import { documentRefusals } from '../errors/refusals.ts';
import type { Services } from '../services.ts';
import { accountDeletionRoutes } from './account-deletion-routes.ts';
import { accountRoutes } from './account-routes.ts';
import { administratorRoutes } from './administrator-routes.ts';
import { adminInvitationRoutes } from './admin-invitation-routes.ts';
import { domainRoutes } from './domain-routes.ts';
import { keyRoutes } from './key-routes.ts';
import { signInRoutes } from './sign-in-routes.ts';

export const adminRoutes =
  (services: Services): FastifyPluginAsyncTypebox =>
  async (app) => {
    documentRefusals(app, REFUSALS);
    const access = new AdminAccess(services);
    if (services.adminPassword) await app.register(signInRoutes(services, access));
    await app.register(async (scope) => {
      scope.addHook('onRequest', async (request, reply) => {
        reply.header('cache-control', 'no-store');
        request.actor = await access.check(request, reply);
      });
      await scope.register(accountRoutes(services));
      await scope.register(accountDeletionRoutes(services));
      await scope.register(keyRoutes(services));
      await scope.register(domainRoutes(services));
      await scope.register(administratorRoutes(services));
      await scope.register(adminInvitationRoutes(services));
    });
  };

const REFUSALS = {
  401: 'The admin password is missing or wrong.',
  429: 'Too many wrong passwords: try again after the time in Retry-After.',
};
