/*
 * Accounts, their keys, and administrators. Registered only when an admin password is set; every
 * route requires it, or the sign-in of an administrator.
 */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { AdminAccess } from '../../auth/admin-access.ts';
import { accountDeletionRoutes, type AccountDeletionParts } from './account-deletion.ts';
import { accountRoutes, type AccountParts } from './accounts.ts';
import { adminNameRoutes, type AdminNameParts } from './admins.ts';
import { keyRoutes, type KeyParts } from './keys.ts';

export type AdminParts = AccountParts & AccountDeletionParts & AdminNameParts & KeyParts;

export const adminRoutes =
  (parts: AdminParts, access: AdminAccess): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.addHook('onRequest', async (request, reply) => {
      reply.header('cache-control', 'no-store');
      request.actor = await access.check(request);
    });
    await app.register(accountRoutes(parts));
    await app.register(accountDeletionRoutes(parts));
    await app.register(keyRoutes(parts));
    await app.register(adminNameRoutes(parts));
  };
