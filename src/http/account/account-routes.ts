/* The caller's own account. Its plan and name are the operator's to change. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import type { AuditedRecords } from '../../records/audited-records.ts';
import { OwnAccount, ownAccountChanges, toOwnAccount } from './account-schemas.ts';
import { answer, errors, named } from '../resource/schema-parts.ts';
import { found } from '../resource/resource-routes.ts';
import type { Services } from '../services.ts';

const tags = ['Account'];

export const ownAccountRoutes =
  ({ records: { accounts }, auditor, settings }: Services): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { retentionDays: installation } = settings;
    const changesSchema = ownAccountChanges(installation);
    app.addSchema(changesSchema);

    app.get(
      '/v1/account',
      {
        schema: {
          tags,
          summary: 'Retrieve own account',
          response: { 200: answer(OwnAccount, 'The account.'), ...errors(401) },
        },
      },
      async ({ account }) => toOwnAccount(found(await accounts.find(account.id)), installation),
    );

    app.patch(
      '/v1/account',
      {
        schema: {
          tags,
          summary: 'Update own account',
          description:
            'Omitted fields keep their values. Data that is older than the new retention is deleted within an hour.',
          body: named(changesSchema),
          response: { 204: Type.Null({ description: 'Updated.' }), ...errors(401, 422) },
        },
      },
      async (request, reply) => {
        const { id } = request.account;
        const { retention_days: retention, call_stills: callStills } = request.body;
        const changing = { action: 'account.updated', targetId: id, read } as const;
        await auditor.around(request, changing, async (records) =>
          found(
            await records.accounts.change(id, {
              ...(retention !== undefined && { retention }),
              ...(callStills !== undefined && { callStills }),
            }),
          ),
        );
        request.log.info({ accountId: id }, 'account changed by its owner');
        return reply.code(204).send(null);

        async function read(records: AuditedRecords) {
          const account = await records.accounts.find(id);
          return account && { retention_days: account.retention, call_stills: account.callStills };
        }
      },
    );
  };
