/*
 * Accounts, their keys, administrators and invitations. Every route requires the admin password, the
 * sign-in of an administrator, or an operator at the console. Without a password only the last exist.
 */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { AdminAccess } from '../auth/admin-access.ts';
import { accountDeletionRoutes, type AccountDeletionParts } from './account-deletion-routes.ts';
import { accountRoutes, type AccountParts } from './account-routes.ts';
import { adminNameRoutes, type AdminNameParts } from './admin-name-routes.ts';
import { adminInvitationRoutes, type AdminInvitationParts } from './admin-invitation-routes.ts';
import { keyRoutes, type KeyParts } from './key-routes.ts';

export type AdminParts = AccountParts &
  AccountDeletionParts &
  AdminInvitationParts &
  AdminNameParts &
  KeyParts;

export const adminRoutes =
  (parts: AdminParts, access: AdminAccess): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.addHook('onRequest', async (request, reply) => {
      reply.header('cache-control', 'no-store');
      request.actor = await access.check(request, reply);
    });
    await app.register(accountRoutes(parts));
    await app.register(accountDeletionRoutes(parts));
    await app.register(keyRoutes(parts));
    await app.register(adminNameRoutes(parts));
    await app.register(adminInvitationRoutes(parts));
  };
