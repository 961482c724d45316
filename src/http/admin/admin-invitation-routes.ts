import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { problem } from '../../errors.ts';
import { invite } from '../people/invitation-routes.ts';
import { adminDoc } from './admin-schemas.ts';
import { answer, errors, named } from '../resource/schema-parts.ts';
import { AdminInvitationRequest, MadeInvitation } from '../people/people-schemas.ts';
import { found } from '../resource/resource-routes.ts';
import type { Services } from '../services.ts';

/** Invitations to any account, and of operators. */
export const adminInvitationRoutes =
  (services: Services): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.post(
      '/admin/invitations',
      {
        schema: {
          ...adminDoc,
          summary: 'Invite person to any account',
          description: 'To an account with a role, to operate the installation, or both.',
          body: named(AdminInvitationRequest),
          response: {
            201: answer(MadeInvitation, 'The invitation, with its link.'),
            ...errors(404, 422),
          },
        },
      },
      async (request, reply) => {
        const {
          account_id: requestedAccountId,
          role,
          name,
          is_operator: isOperator = false,
        } = request.body;
        const { expires_in_hours: hours } = request.body;
        if ((requestedAccountId === undefined) !== (role === undefined)) {
          const field = role === undefined ? 'role' : 'account_id';
          throw problem('missing', ['body', field], 'Field required', null);
        }
        if (requestedAccountId === undefined && !isOperator) {
          throw problem('missing', ['body', 'account_id'], 'Field required', null);
        }
        const accountId =
          requestedAccountId === undefined
            ? null
            : found(await services.records.accounts.find(requestedAccountId)).id;
        const grants = { role: role ?? null, isOperator, name: name ?? null };
        return reply.code(201).send(await invite(services, request, { accountId, grants, hours }));
      },
    );
  };
