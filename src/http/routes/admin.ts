/*
 * Accounts and their keys. Registered only when an admin password is set; every route requires it.
 */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import type { Clock } from '#shared/clock.ts';
import type { ApiKeys } from '../../accounts/keys.ts';
import { Fault } from '../../errors.ts';
import type { AccountLists } from '../../records/account-lists.ts';
import type { AccountRecords } from '../../records/accounts.ts';
import type { ApiKeyRecords } from '../../records/api-keys.ts';
import type { PageRequest } from '../../records/engine/pages.ts';
import type { AdminPassword } from '../auth/admin-password.ts';
import { ignoreBodies } from '../ignored-body.ts';
import {
  AccountBody,
  AccountChanges,
  AccountPage,
  AccountRequest,
  ApiKeyPage,
  ApiKeyRequest,
  MadeApiKey,
  toAccountBody,
  toApiKeyBody,
} from '../schemas/admin.ts';
import { answer, errors, IdParams, named, PageQuery } from '../schemas/common.ts';
import { answerPage, found, listRoute, retrieveRoute } from './resource.ts';

export type AdminParts = {
  accounts: AccountRecords;
  accountLists: AccountLists;
  keys: Pick<ApiKeys, 'make' | 'changed'>;
  keyRecords: Pick<ApiKeyRecords, 'revoke'>;
  clock: Clock;
};

/** OpenAPI fields of every admin route. */
const shared = { tags: ['Admin'], security: [{ adminPassword: [] }] };

export const adminRoutes =
  (parts: AdminParts, password: AdminPassword): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.addHook('onRequest', async (request, reply) => {
      reply.header('cache-control', 'no-store');
      password.check(request);
    });
    await app.register(accountRoutes(parts));
    await app.register(keyRoutes(parts));
  };

const accountRoutes =
  ({ accounts, accountLists, keys, clock }: AdminParts): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.post(
      '/admin/accounts',
      {
        schema: {
          ...shared,
          summary: 'Create account',
          description: 'The default plan is `free`.',
          body: named(AccountRequest),
          response: { 201: answer(AccountBody, 'The account.'), ...errors(422) },
        },
      },
      async (request, reply) => {
        const { name, plan = 'free' } = request.body;
        const account = await accounts.add({ name, plan, createdAt: clock.now() });
        request.log.info({ accountId: account.id, plan }, 'account created');
        return reply.code(201).send(toAccountBody(account));
      },
    );

    listRoute(app, '/admin/accounts', {
      schema: {
        ...shared,
        summary: 'List accounts',
        description: 'Most recent first.',
        response: { 200: answer(AccountPage, 'One page.'), ...errors(422) },
      },
      read: (_request, page) => accountLists.accounts(page),
      toBody: toAccountBody,
    });

    retrieveRoute(app, '/admin/accounts/:id', {
      schema: {
        ...shared,
        summary: 'Retrieve account',
        response: { 200: answer(AccountBody, 'The account.'), ...errors(404) },
      },
      find: ({ params }) => accounts.find(params.id),
      toBody: toAccountBody,
    });

    app.patch(
      '/admin/accounts/:id',
      {
        schema: {
          ...shared,
          summary: 'Change account',
          description:
            'Omitted fields keep their values. A new plan takes effect with the next request, on other control planes within a second.',
          params: IdParams,
          body: named(AccountChanges),
          response: { 200: answer(AccountBody, 'The account.'), ...errors(404, 422) },
        },
      },
      async (request) => {
        const { name, plan, picture_consent: pictureConsent, pool } = request.body;
        const change = {
          ...(name !== undefined && { name }),
          ...(plan !== undefined && { plan }),
          ...(pictureConsent !== undefined && { pictureConsent }),
          ...(pool !== undefined && { pool }),
        };
        const account = found(await accounts.change(request.params.id, change));
        keys.changed();
        request.log.info({ accountId: account.id, plan: account.plan }, 'account changed');
        return toAccountBody(account);
      },
    );
  };

const keyRoutes =
  (parts: AdminParts): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { accounts, accountLists, keys } = parts;

    app.post(
      '/admin/accounts/:id/keys',
      {
        schema: {
          ...shared,
          summary: 'Create API key',
          params: IdParams,
          body: named(ApiKeyRequest),
          response: {
            201: answer(MadeApiKey, 'The key. It is shown only once.'),
            ...errors(404, 422),
          },
        },
      },
      async (request, reply) => {
        const { name, scope = 'all' } = request.body;
        const { id: accountId } = found(await accounts.find(request.params.id));
        const { text, ...key } = await keys.make(name, { accountId, scope });
        request.log.info({ accountId, keyId: key.id, scope }, 'API key created');
        return reply.code(201).send({ ...toApiKeyBody(key), key: text });
      },
    );

    app.get(
      '/admin/accounts/:id/keys',
      {
        schema: {
          ...shared,
          summary: 'List API keys',
          description: 'Most recent first, including revoked keys.',
          params: IdParams,
          querystring: PageQuery,
          response: { 200: answer(ApiKeyPage, 'One page.'), ...errors(404, 422) },
        },
      },
      async (request) => {
        const account = found(await accounts.find(request.params.id));
        const read = (page: PageRequest) => accountLists.keys(account.id, page);
        return answerPage(request.query, read, toApiKeyBody);
      },
    );

    await app.register(revokeRoute(parts));
  };

const revokeRoute =
  ({ keys, keyRecords, clock }: AdminParts): FastifyPluginAsyncTypebox =>
  async (app) => {
    ignoreBodies(app);
    app.delete(
      '/admin/accounts/:id/keys/:keyId',
      {
        schema: {
          ...shared,
          summary: 'Revoke API key',
          description:
            'Takes effect at once, on other control planes within a second. It cannot be undone.',
          params: Type.Object({ ...IdParams.properties, keyId: Type.String({ minLength: 1 }) }),
          response: { 204: Type.Null({ description: 'Revoked.' }), ...errors(404) },
        },
      },
      async (request, reply) => {
        const { id: accountId, keyId } = request.params;
        if (!(await keyRecords.revoke(accountId, keyId, clock.now()))) throw new Fault('not_found');
        keys.changed();
        request.log.info({ accountId, keyId }, 'API key revoked');
        return reply.code(204).send(null);
      },
    );
  };
