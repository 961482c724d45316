import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import { newRecordId } from '#shared/ids.ts';
import { requireFeature, storageOf } from '../../accounts/limits.ts';
import { Fault, problem } from '../../errors.ts';
import type { AuditedRecords } from '../../records/audited-records.ts';
import type { ExternalApi } from '../../records/agents/external-apis.ts';
import { checkExternalApi } from '../../calls/models/external-api-check.ts';
import type { Answered } from '../limits/idempotency.ts';
import { answer, errors, IdempotencyHeader, IdParams, named } from '../resource/schema-parts.ts';
import {
  ExternalApiBody,
  ExternalApiCheck,
  ExternalApiCheckRequest,
  ExternalApiChanges,
  ExternalApiPage,
  ExternalApiRequest,
  toExternalApiBody,
} from './external-api-schemas.ts';
import {
  deleteRoute,
  listRoute,
  retrieveRoute,
  updateRoute,
  type ChangeRequest,
  type IdRequest,
} from '../resource/resource-routes.ts';
import type { Services } from '../services.ts';

const tags = ['Agents External APIs'];

export const externalApiRoutes =
  (services: Services): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { externalApis } = services.records;

    app.post(
      '/v1/external-apis',
      {
        schema: {
          tags,
          summary: 'Create external API',
          headers: IdempotencyHeader,
          body: named(ExternalApiRequest),
          response: {
            201: answer(ExternalApiBody, 'The external API.'),
            ...errors(401, 409, 422, 501),
          },
        },
      },
      async (request, reply) => {
        const { status, body } = await createExternalApi(services, request);
        return reply.code(status).send(body);
      },
    );

    listRoute(app, '/v1/external-apis', {
      schema: {
        tags,
        summary: 'List external APIs',
        description: 'Most recent first.',
        response: { 200: answer(ExternalApiPage, 'One page.'), ...errors(401, 422) },
      },
      read: ({ account }, page) => externalApis.page(account.id, page),
      toBody: toExternalApiBody,
    });

    retrieveRoute(app, '/v1/external-apis/:id', {
      schema: {
        tags,
        summary: 'Retrieve external API',
        response: { 200: answer(ExternalApiBody, 'The external API.'), ...errors(401, 404) },
      },
      find: ({ account, params }) => externalApis.find(account.id, params.id),
      toBody: toExternalApiBody,
    });

    updateRoute(app, '/v1/external-apis/:id', {
      schema: {
        tags,
        summary: 'Update external API',
        body: named(ExternalApiChanges),
        response: errors(401, 404, 422),
      },
      update: (request) => changeExternalApi(services, request),
    });

    app.post(
      '/v1/external-apis/:id/check',
      {
        schema: {
          tags,
          summary: 'Check external API',
          description:
            'Sends a test request with the stored key: a short question to a language model, half a second of silence to speech to text, one word to text to speech or embeddings.',
          params: IdParams,
          body: named(ExternalApiCheckRequest),
          response: {
            200: answer(ExternalApiCheck, 'The result of the check.'),
            ...errors(401, 404, 422),
          },
        },
      },
      async (request) => {
        const { account, params, body } = request;
        const api = await externalApis.credentials(account.id, params.id);
        if (!api) throw new Fault('not_found');
        const { ok, status, detail, tookMs } = await checkExternalApi(services, api, body);
        return { ok, status, detail, took_ms: tookMs };
      },
    );

    await deleteRoute(app, '/v1/external-apis/:id', {
      schema: {
        tags,
        summary: 'Delete external API',
        description: 'Refused while an agent uses it; the error names the agents.',
        response: errors(401, 404, 409),
      },
      remove: (request) => deleteExternalApi(services, request),
    });
  };

type CreateRequest = FastifyRequest<{
  Body: Static<typeof ExternalApiRequest>;
  Headers: Static<typeof IdempotencyHeader>;
}>;

export async function createExternalApi(
  { outgoing, idempotency, auditor, clock }: Services,
  request: CreateRequest,
): Promise<Answered<Static<typeof ExternalApiBody>>> {
  const { account, body, headers, log, method, routeOptions } = request;
  requireFeature(account, 'external_apis');
  const { type, name, url, api_key: apiKey } = body;
  const requestIdentity = [method, routeOptions.url, body];
  return idempotency.once(account.id, headers['idempotency-key'], requestIdentity, async () => {
    checkUrl(outgoing, url);
    const api: ExternalApi = {
      id: newRecordId(),
      accountId: account.id,
      type,
      name,
      url,
      createdAt: clock.now(),
    };
    const apiBody = toExternalApiBody(api);
    const change = { action: 'external_api.created', targetId: api.id, after: apiBody } as const;
    await auditor.change(request, change, ({ externalApis }) =>
      externalApis.insert({ ...api, apiKey }, storageOf(account)),
    );
    log.info({ externalApiId: api.id }, 'external API created');
    return { status: 201, body: apiBody };
  });
}

export async function changeExternalApi(
  services: Services,
  request: ChangeRequest<Static<typeof ExternalApiChanges>>,
): Promise<boolean> {
  const { records, auditor } = services;
  const { account, params } = request;
  const { name, url, api_key: apiKey } = request.body;
  const current = await records.externalApis.find(account.id, params.id);
  if (!current) return false;
  checkChange(services, current, request.body);
  const changes = {
    ...(name !== undefined && { name }),
    ...(url !== undefined && { url }),
    ...(apiKey !== undefined && { apiKey }),
  };
  const newSecrets = apiKey === undefined ? [] : ['api_key'];
  return auditor.around(
    request,
    { ...audited(request, 'external_api.updated'), newSecrets },
    ({ externalApis }) => externalApis.update(account.id, params.id, changes),
  );
}

export async function deleteExternalApi(
  { auditor }: Services,
  request: IdRequest,
): Promise<boolean> {
  const { account, params, log } = request;
  const isDeleted = await auditor.around(
    request,
    audited(request, 'external_api.deleted'),
    ({ externalApis }) => externalApis.delete(account.id, params.id),
  );
  if (isDeleted) log.info({ externalApiId: params.id }, 'external API deleted');
  return isDeleted;
}

const audited = (
  { account, params }: IdRequest,
  action: 'external_api.updated' | 'external_api.deleted',
) => ({
  action,
  targetId: params.id,
  async read({ externalApis }: AuditedRecords) {
    const api = await externalApis.find(account.id, params.id);
    return api && toExternalApiBody(api);
  },
});

const FIXED_TYPE =
  'The type cannot be changed: agents use the API by it. Create another external API.';
const KEY_AGAIN = 'Field required: a new origin in the url needs the API key again.';

function checkChange(
  { outgoing }: Services,
  current: ExternalApi,
  { type, url, api_key: apiKey }: Static<typeof ExternalApiChanges>,
): void {
  if (type !== undefined && type !== current.type)
    throw problem('value_error', ['body', 'type'], FIXED_TYPE, type);
  if (url === undefined) return;
  checkUrl(outgoing, url);
  // Otherwise a caller could change the address to have the stored key sent to its own server.
  if (apiKey === undefined && originOf(url) !== originOf(current.url))
    throw problem('missing', ['body', 'api_key'], KEY_AGAIN, null);
}

const originOf = (url: string): string => new URL(url).origin;

/** Models often run in the private network without TLS, so plain HTTP is allowed. */
function checkUrl(outgoing: Services['outgoing'], url: string): void {
  const refused = outgoing.checkUrl(url, 'anywhere');
  if (refused) throw problem('url', ['body', 'url'], refused, url);
}
