import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Fault } from '../../errors.ts';
import { ignoreBodies } from '../plumbing/ignored-body.ts';
import { adminDoc } from './admin-schemas.ts';
import { answer, errors, IdParams } from '../resource/schema-parts.ts';
import { AccountDeletionBody, toAccountDeletionBody } from '../erasure/erasure-schemas.ts';
import { found, retrieveRoute } from '../resource/resource-routes.ts';
import type { Services } from '../services.ts';

export const accountDeletionRoutes =
  ({ records: { accounts }, deletions, auditor, clock }: Services): FastifyPluginAsyncTypebox =>
  async (app) => {
    ignoreBodies(app);

    app.delete(
      '/admin/accounts/:id',
      {
        schema: {
          ...adminDoc,
          summary: 'Delete account',
          description:
            'Revokes its keys, ends its sessions and deletes everything that it has, in the background. It cannot be undone. The audit log keeps who did what, without the contents. The first account cannot be deleted.',
          params: IdParams,
          response: {
            202: answer(AccountDeletionBody, 'The deletion, which has begun.'),
            ...errors(404, 409),
          },
        },
      },
      async (request, reply) => {
        const { id } = request.params;
        if (id === (await accounts.first(clock.now())).id) {
          const detail = 'The first account cannot be deleted. Delete its resources instead.';
          throw new Fault('conflict', { detail });
        }
        const deleting = { action: 'account.deleted', targetId: id, accountId: id } as const;
        const deletion = found(
          await deletions.begin(id, (begin) =>
            auditor.change(request, deleting, (records) => begin(records.accountErasure)),
          ),
        );
        request.log.info({ accountId: id }, 'account deletion requested');
        return reply.code(202).send(toAccountDeletionBody(deletion));
      },
    );

    retrieveRoute(app, '/admin/accounts/:id/deletion', {
      schema: {
        ...adminDoc,
        summary: 'Retrieve account deletion',
        description: 'Its progress, and afterwards its receipt.',
        response: { 200: answer(AccountDeletionBody, 'The deletion.'), ...errors(404) },
      },
      find: ({ params }) => deletions.find(params.id),
      toBody: toAccountDeletionBody,
    });
  };
