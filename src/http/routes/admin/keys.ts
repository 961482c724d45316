import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import type { Clock } from '#shared/clock.ts';
import type { ApiKeys } from '../../../accounts/keys.ts';
import { Fault } from '../../../errors.ts';
import type { AccountLists } from '../../../records/account-lists.ts';
import type { AccountRecords } from '../../../records/accounts.ts';
import type { AuditedRecords } from '../../../records/audited-records.ts';
import type { ApiKeyRecords } from '../../../records/api-keys.ts';
import type { PageRequest } from '../../../records/engine/pages.ts';
import type { Auditor } from '../../audit/auditor.ts';
import { ignoreBodies } from '../../ignored-body.ts';
import { readKeyLimits } from '../../key-limits.ts';
import {
  adminDoc,
  ApiKeyBody,
  ApiKeyChanges,
  ApiKeyPage,
  ApiKeyRequest,
  MadeApiKey,
  toApiKeyBody,
} from '../../schemas/admin.ts';
import { answer, errors, IdParams, named, PageQuery } from '../../schemas/common.ts';
import { answerPage, found } from '../resource.ts';

export type KeyParts = {
  accounts: Pick<AccountRecords, 'find'>;
  accountLists: Pick<AccountLists, 'keys'>;
  keys: Pick<ApiKeys, 'make' | 'changed'>;
  keyRecords: Pick<ApiKeyRecords, 'find'>;
  auditor: Auditor;
  clock: Clock;
};

export const keyRoutes =
  (parts: KeyParts): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { accounts, accountLists, keys, keyRecords, auditor, clock } = parts;

    app.post(
      '/admin/accounts/:id/keys',
      {
        schema: {
          ...adminDoc,
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
        const { name, scope = 'all', ...given } = request.body;
        const limits = readKeyLimits(given, scope, clock.now());
        const { id: accountId } = found(await accounts.find(request.params.id));
        const { text, ...key } = await auditor.create(
          request,
          ({ apiKeys }) => keys.make(name, { accountId, scope, ...limits }, apiKeys),
          (made) => ({
            action: 'api_key.created',
            targetId: made.id,
            accountId,
            after: toApiKeyBody(made),
          }),
        );
        request.log.info({ accountId, keyId: key.id, scope }, 'API key created');
        return reply.code(201).send({ ...toApiKeyBody(key), key: text });
      },
    );

    app.get(
      '/admin/accounts/:id/keys',
      {
        schema: {
          ...adminDoc,
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

    app.patch(
      '/admin/accounts/:id/keys/:keyId',
      {
        schema: {
          ...adminDoc,
          summary: 'Change API key',
          description:
            'Omitted fields keep their values. Takes effect at once, on other control planes within a second. Give the old key an `expires_at` to replace it without a gap.',
          params: KeyParams,
          body: named(ApiKeyChanges),
          response: { 200: answer(ApiKeyBody, 'The key.'), ...errors(404, 422) },
        },
      },
      async (request) => {
        const { id: accountId, keyId } = request.params;
        const { name, ...given } = request.body;
        const before = found(await keyRecords.find(accountId, keyId));
        const change = {
          ...(name !== undefined && { name }),
          ...readKeyLimits(given, before.scope, clock.now()),
        };
        const changing = { action: 'api_key.updated', targetId: keyId, accountId } as const;
        const read = async ({ apiKeys }: AuditedRecords) => {
          const key = await apiKeys.find(accountId, keyId);
          return key && toApiKeyBody(key);
        };
        const key = found(
          await auditor.around(request, { ...changing, read }, ({ apiKeys }) =>
            apiKeys.change(accountId, keyId, change),
          ),
        );
        keys.changed();
        request.log.info({ accountId, keyId }, 'API key changed');
        return toApiKeyBody(key);
      },
    );

    await app.register(revokeRoute(parts));
  };

const KeyParams = Type.Object({
  ...IdParams.properties,
  keyId: Type.String({ minLength: 1 }),
});

const revokeRoute =
  ({ keys, auditor, clock }: KeyParts): FastifyPluginAsyncTypebox =>
  async (app) => {
    ignoreBodies(app);
    app.delete(
      '/admin/accounts/:id/keys/:keyId',
      {
        schema: {
          ...adminDoc,
          summary: 'Revoke API key',
          description:
            'Takes effect at once, on other control planes within a second. It cannot be undone.',
          params: KeyParams,
          response: { 204: Type.Null({ description: 'Revoked.' }), ...errors(404) },
        },
      },
      async (request, reply) => {
        const { id: accountId, keyId } = request.params;
        const revoked = { action: 'api_key.revoked', targetId: keyId, accountId } as const;
        const isRevoked = await auditor.change(request, revoked, ({ apiKeys }) =>
          apiKeys.revoke(accountId, keyId, clock.now()),
        );
        if (!isRevoked) throw new Fault('not_found');
        keys.changed();
        request.log.info({ accountId, keyId }, 'API key revoked');
        return reply.code(204).send(null);
      },
    );
  };
