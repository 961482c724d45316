/* Accounts and their keys, for whoever runs the service. Registered only when there is an admin password; every route wants it. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import type { Clock } from '#shared/clock.ts';
import type { ApiKeys } from '../../accounts/keys.ts';
import { Fault } from '../../errors.ts';
import type { AccountLists } from '../../records/account-lists.ts';
import type { AccountRecord, AccountRecords } from '../../records/accounts.ts';
import type { ApiKeyRecords } from '../../records/api-keys.ts';
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
import {
  answer,
  DEFAULT_LIMIT,
  errors,
  IdParams,
  named,
  PageQuery,
  toPage,
} from '../schemas/common.ts';

export type AdminParts = {
  accounts: AccountRecords;
  accountLists: AccountLists;
  keys: Pick<ApiKeys, 'make' | 'changed'>;
  keyRecords: Pick<ApiKeyRecords, 'revoke'>;
  clock: Clock;
};

/** What the document says of each of these routes. */
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
          description: 'Its plan is `free` when none is said.',
          body: named(AccountRequest),
          response: { 201: answer(AccountBody, 'The account.'), ...errors(422) },
        },
      },
      async (request, reply) => {
        const { name, plan = 'free' } = request.body;
        const account = await accounts.add({ name, plan, createdAt: clock.now() });
        request.log.info({ accountId: account.id, plan }, 'account made');
        return reply.code(201).send(toAccountBody(account));
      },
    );

    app.get(
      '/admin/accounts',
      {
        schema: {
          ...shared,
          summary: 'List accounts',
          description: 'Most recent first.',
          querystring: PageQuery,
          response: { 200: answer(AccountPage, 'One page.'), ...errors(422) },
        },
      },
      async (request) => {
        const { limit = DEFAULT_LIMIT, cursor } = request.query;
        const { data, nextCursor } = await accountLists.accounts({ limit, cursor });
        return toPage(data.map(toAccountBody), nextCursor);
      },
    );

    app.get(
      '/admin/accounts/:id',
      {
        schema: {
          ...shared,
          summary: 'Retrieve account',
          params: IdParams,
          response: { 200: answer(AccountBody, 'The account.'), ...errors(404) },
        },
      },
      async (request) => toAccountBody(known(await accounts.find(request.params.id))),
    );

    app.patch(
      '/admin/accounts/:id',
      {
        schema: {
          ...shared,
          summary: 'Change account',
          description:
            'A plan holds from the next request on; at other control planes, a second later. What is left out stays.',
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
        const account = known(await accounts.change(request.params.id, change));
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
          response: { 201: answer(MadeApiKey, 'The key, this once.'), ...errors(404, 422) },
        },
      },
      async (request, reply) => {
        const { name, scope = 'all' } = request.body;
        const { id: accountId } = known(await accounts.find(request.params.id));
        const { text, ...key } = await keys.make(name, { accountId, scope });
        request.log.info({ accountId, keyId: key.id, scope }, 'key made');
        return reply.code(201).send({ ...toApiKeyBody(key), key: text });
      },
    );

    app.get(
      '/admin/accounts/:id/keys',
      {
        schema: {
          ...shared,
          summary: 'List API keys',
          description: 'Most recent first; revoked ones too.',
          params: IdParams,
          querystring: PageQuery,
          response: { 200: answer(ApiKeyPage, 'One page.'), ...errors(404, 422) },
        },
      },
      async (request) => {
        const { limit = DEFAULT_LIMIT, cursor } = request.query;
        const account = known(await accounts.find(request.params.id));
        const { data, nextCursor } = await accountLists.keys(account.id, { limit, cursor });
        return toPage(data.map(toApiKeyBody), nextCursor);
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
            'It opens nothing from now on, for good; at other control planes, from a second later on.',
          params: Type.Object({ ...IdParams.properties, keyId: Type.String({ minLength: 1 }) }),
          response: { 204: Type.Null({ description: 'Revoked.' }), ...errors(404) },
        },
      },
      async (request, reply) => {
        const { id: accountId, keyId } = request.params;
        if (!(await keyRecords.revoke(accountId, keyId, clock.now()))) throw new Fault('not_found');
        keys.changed();
        request.log.info({ accountId, keyId }, 'key revoked');
        return reply.code(204).send(null);
      },
    );
  };

function known(account: AccountRecord | null): AccountRecord {
  if (!account) throw new Fault('not_found');
  return account;
}
