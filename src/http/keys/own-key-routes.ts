import type {
  FastifyPluginAsyncTypebox,
  TypeBoxTypeProvider,
} from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import Type from 'typebox';
import { Fault } from '../../errors.ts';
import { rightsOf } from '../auth/given-rights.ts';
import { changeKey, makeKey, revokeKey, type CheckKey } from './change-keys.ts';
import { ignoreBodies } from '../plumbing/ignored-body.ts';
import {
  ApiKeyBody,
  ApiKeyChanges,
  ApiKeyPage,
  MadeApiKey,
  OwnApiKeyRequest,
  toApiKeyBody,
} from '../admin/admin-schemas.ts';
import { answer, errors, IdParams, named } from '../resource/schema-parts.ts';
import { listRoute } from '../resource/resource-routes.ts';
import type { Services } from '../services.ts';

const tags = ['Account'];

/** The account's own keys. A new key never has more scopes than its maker. */
export const ownKeyRoutes =
  (services: Services): FastifyPluginAsyncTypebox =>
  async (app) => {
    listRoute(app, '/v1/api-keys', {
      schema: {
        tags,
        summary: 'List own API keys',
        description: 'Most recent first, including revoked keys.',
        response: { 200: answer(ApiKeyPage, 'One page.'), ...errors(401, 422) },
      },
      read: ({ account }, page) => services.records.accountLists.keys(account.id, page),
      toBody: toApiKeyBody,
    });

    app.post(
      '/v1/api-keys',
      {
        schema: {
          tags,
          summary: 'Create own API key',
          description:
            'A caller with scopes gives no others. A key that expires or is limited to networks creates none.',
          body: named(OwnApiKeyRequest),
          response: {
            201: answer(MadeApiKey, 'The key. It is shown only once.'),
            ...errors(401, 403, 422),
          },
        },
      },
      async (request, reply) => {
        const check = await checkOf(services, request);
        const newKey = await makeKey(services, request, request.account.id, request.body, check);
        const { text, ...key } = newKey;
        reply.header('cache-control', 'no-store');
        return reply.code(201).send({ ...toApiKeyBody(key), key: text });
      },
    );

    app.patch(
      '/v1/api-keys/:id',
      {
        schema: {
          tags,
          summary: 'Change own API key',
          description:
            'Omitted fields keep their values. Takes effect at once, on other control planes within a second.',
          params: IdParams,
          body: named(ApiKeyChanges),
          response: { 200: answer(ApiKeyBody, 'The key.'), ...errors(401, 403, 404, 422) },
        },
      },
      async (request) => {
        const check = await checkOf(services, request);
        const key = { accountId: request.account.id, keyId: request.params.id };
        return toApiKeyBody(await changeKey(services, request, key, request.body, check));
      },
    );

    await app.register(async (bodiless) => {
      ignoreBodies(bodiless);
      bodiless.withTypeProvider<TypeBoxTypeProvider>().delete(
        '/v1/api-keys/:id',
        {
          schema: {
            tags,
            summary: 'Revoke own API key',
            description:
              'Takes effect at once, on other control planes within a second. It cannot be undone.',
            params: IdParams,
            response: { 204: Type.Null({ description: 'Revoked.' }), ...errors(401, 404) },
          },
        },
        async (request, reply) => {
          const key = { accountId: request.account.id, keyId: request.params.id };
          await revokeKey(services, request, key);
          return reply.code(204).send(null);
        },
      );
    });
  };

/** Throws for a key with rights that the caller lacks. */
async function checkOf({ records }: Services, request: FastifyRequest): Promise<CheckKey> {
  const hasRights = await rightsOf(records, request);
  return ({ scope, scopes }) => {
    if (hasRights({ scopes, isOperator: scope === 'operator' })) return;
    const detail =
      scope === 'operator'
        ? 'Only operators may change the keys of operators.'
        : 'The key would have scopes that you lack. List those that it needs in `scopes`.';
    throw new Fault('forbidden', { detail });
  };
}
