import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { toAccount } from '../../accounts/account.ts';
import { planOf } from '../../accounts/limits.ts';
import type { AuditedRecords } from '../../records/audited-records.ts';
import {
  AccountBody,
  AccountChanges,
  AccountPage,
  AccountRequest,
  adminDoc,
  toAccountBody,
} from './admin-schemas.ts';
import { answer, errors, IdParams, named } from '../resource/schema-parts.ts';
import { toUsageBody, UsageBody } from '../account/usage-schemas.ts';
import { found, listRoute, retrieveRoute } from '../resource/resource-routes.ts';
import type { Services } from '../services.ts';

export const accountRoutes =
  ({
    records: { accounts, accountLists },
    keys,
    usage,
    auditor,
    clock,
  }: Services): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.post(
      '/admin/accounts',
      {
        schema: {
          ...adminDoc,
          summary: 'Create account',
          description: 'The default plan is `free`.',
          body: named(AccountRequest),
          response: { 201: answer(AccountBody, 'The account.'), ...errors(422) },
        },
      },
      async (request, reply) => {
        const { name, plan = 'free' } = request.body;
        const account = await auditor.create(
          request,
          (records) => records.accounts.add({ name, plan, createdAt: clock.now() }),
          (record) => ({
            action: 'account.created',
            targetId: record.id,
            accountId: record.id,
            after: toAccountBody(record),
          }),
        );
        request.log.info({ accountId: account.id, plan }, 'account created');
        return reply.code(201).send(toAccountBody(account));
      },
    );

    listRoute(app, '/admin/accounts', {
      schema: {
        ...adminDoc,
        summary: 'List accounts',
        description: 'Most recent first.',
        response: { 200: answer(AccountPage, 'One page.'), ...errors(422) },
      },
      read: (_request, page) => accountLists.accounts(page),
      toBody: toAccountBody,
    });

    retrieveRoute(app, '/admin/accounts/:id', {
      schema: {
        ...adminDoc,
        summary: 'Retrieve account',
        response: { 200: answer(AccountBody, 'The account.'), ...errors(404) },
      },
      find: ({ params }) => accounts.find(params.id),
      toBody: toAccountBody,
    });

    app.get(
      '/admin/accounts/:id/usage',
      {
        schema: {
          ...adminDoc,
          summary: 'Retrieve usage of an account',
          description: 'Its usage this month, and the limits of its plan.',
          params: IdParams,
          response: { 200: answer(UsageBody, 'The usage.'), ...errors(404) },
        },
      },
      async ({ params }) => {
        const account = toAccount(found(await accounts.find(params.id)));
        const [month, live] = await Promise.all([usage.thisMonth(account), usage.live(account)]);
        return toUsageBody(account.plan, planOf(account), month, live);
      },
    );

    app.patch(
      '/admin/accounts/:id',
      {
        schema: {
          ...adminDoc,
          summary: 'Change account',
          description:
            'Omitted fields keep their values. A new plan takes effect with the next request, on other control planes within a second.',
          params: IdParams,
          body: named(AccountChanges),
          response: { 200: answer(AccountBody, 'The account.'), ...errors(404, 422) },
        },
      },
      async (request) => {
        const { id } = request.params;
        const { name, plan, picture_consent: pictureConsent, pool } = request.body;
        const { retention_days: retention } = request.body;
        const change = {
          ...(name !== undefined && { name }),
          ...(plan !== undefined && { plan }),
          ...(pictureConsent !== undefined && { pictureConsent }),
          ...(pool !== undefined && { pool }),
          ...(retention !== undefined && { retention }),
        };
        const changing = { action: 'account.updated', targetId: id, accountId: id } as const;
        const read = async (records: AuditedRecords) => {
          const account = await records.accounts.find(id);
          return account && toAccountBody(account);
        };
        const account = found(
          await auditor.around(request, { ...changing, read }, (records) =>
            records.accounts.change(id, change),
          ),
        );
        keys.changed();
        request.log.info({ accountId: id, plan: account.plan }, 'account changed');
        return toAccountBody(account);
      },
    );
  };
