import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import type { PageRequest } from '../../records/engine/pages.ts';
import { changeKey, makeKey, revokeKey } from '../keys/change-keys.ts';
import { ignoreBodies } from '../plumbing/ignored-body.ts';
import {
  adminDoc,
  ApiKeyBody,
  ApiKeyChanges,
  ApiKeyPage,
  ApiKeyRequest,
  MadeApiKey,
  toApiKeyBody,
} from './admin-schemas.ts';
import { answer, errors, IdParams, named, PageQuery } from '../resource/schema-parts.ts';
import { answerPage, found } from '../resource/resource-routes.ts';
import type { Services } from '../services.ts';

export const keyRoutes =
  (services: Services): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { accounts, accountLists } = services.records;

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
        const { id: accountId } = found(await accounts.find(request.params.id));
        const { text, ...key } = await makeKey(services, request, accountId, request.body);
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
        const key = await changeKey(services, request, { accountId, keyId }, request.body);
        return toApiKeyBody(key);
      },
    );

    await app.register(revokeRoute(services));
  };

const KeyParams = Type.Object({
  ...IdParams.properties,
  keyId: Type.String({ minLength: 1 }),
});

const revokeRoute =
  (services: Services): FastifyPluginAsyncTypebox =>
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
        await revokeKey(services, request, { accountId, keyId });
        return reply.code(204).send(null);
      },
    );
  };
