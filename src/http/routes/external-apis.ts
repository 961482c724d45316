import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import Type, { type Static } from 'typebox';
import type { Clock } from '#shared/clock.ts';
import { newRecordId } from '#shared/ids.ts';
import type { Outgoing } from '../../egress/outgoing.ts';
import type { PostOutgoing } from '../../egress/outgoing-post.ts';
import { requireFeature } from '../../accounts/limits.ts';
import { Fault, problem } from '../../errors.ts';
import type { ExternalApi, ExternalApiRecords } from '../../records/external-apis.ts';
import { checkExternalApi } from '../../calls/models/external-api-check.ts';
import type { Answered, Idempotency } from '../limits/idempotency.ts';
import { ignoreBodies } from '../ignored-body.ts';
import {
  answer,
  DEFAULT_LIMIT,
  errors,
  IdempotencyHeader,
  IdParams,
  named,
  PageQuery,
  toPage,
} from '../schemas/common.ts';
import {
  ExternalApiBody,
  ExternalApiCheck,
  ExternalApiCheckRequest,
  ExternalApiChanges,
  ExternalApiPage,
  ExternalApiRequest,
  toExternalApiBody,
} from '../schemas/external-apis.ts';

export type ExternalApiParts = {
  externalApis: ExternalApiRecords;
  outgoing: Pick<Outgoing, 'checkUrl'>;
  /** To addresses that may be called. */
  post: PostOutgoing;
  idempotency: Idempotency;
  clock: Clock;
};

const tags = ['Agents External APIs'];

export const externalApiRoutes =
  (parts: ExternalApiParts): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { externalApis } = parts;

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
        const { status, body } = await createExternalApi(parts, request);
        return reply.code(status).send(body);
      },
    );

    app.get(
      '/v1/external-apis',
      {
        schema: {
          tags,
          summary: 'List external APIs',
          description: 'Most recent first.',
          querystring: PageQuery,
          response: { 200: answer(ExternalApiPage, 'One page.'), ...errors(401, 422) },
        },
      },
      async (request) => {
        const { limit = DEFAULT_LIMIT, cursor } = request.query;
        const { data, nextCursor } = await externalApis.page(request.account.id, { limit, cursor });
        return toPage(data.map(toExternalApiBody), nextCursor);
      },
    );

    app.get(
      '/v1/external-apis/:id',
      {
        schema: {
          tags,
          summary: 'Retrieve external API',
          params: IdParams,
          response: { 200: answer(ExternalApiBody, 'The external API.'), ...errors(401, 404) },
        },
      },
      async (request) => toExternalApiBody(await findExternalApi(parts, request)),
    );

    app.patch(
      '/v1/external-apis/:id',
      {
        schema: {
          tags,
          summary: 'Update external API',
          params: IdParams,
          body: named(ExternalApiChanges),
          response: {
            204: Type.Null({ description: 'It is changed.' }),
            ...errors(401, 404, 422),
          },
        },
      },
      async (request, reply) => {
        await changeExternalApi(parts, request);
        return reply.code(204).send(null);
      },
    );

    app.post(
      '/v1/external-apis/:id/check',
      {
        schema: {
          tags,
          summary: 'Check external API',
          description:
            'Tries the address with its key, as an agent would: a language model with one short question, speech to text with half a second of silence, text to speech and embeddings with one word.',
          params: IdParams,
          body: named(ExternalApiCheckRequest),
          response: { 200: answer(ExternalApiCheck, 'What came of it.'), ...errors(401, 404, 422) },
        },
      },
      async (request) => {
        const { account, params, body } = request;
        const api = await externalApis.credentials(account.id, params.id);
        if (!api) throw new Fault('not_found');
        const { ok, status, detail, tookMs } = await checkExternalApi(parts, api, body);
        return { ok, status, detail, took_ms: tookMs };
      },
    );

    await app.register(deleteRoute(parts));
  };

const deleteRoute =
  (parts: ExternalApiParts): FastifyPluginAsyncTypebox =>
  async (app) => {
    ignoreBodies(app);
    app.delete(
      '/v1/external-apis/:id',
      {
        schema: {
          tags,
          summary: 'Delete external API',
          description: 'Not while an agent uses it: the answer names the agents.',
          params: IdParams,
          response: { 204: Type.Null({ description: 'It is gone.' }), ...errors(401, 404, 409) },
        },
      },
      async (request, reply) => {
        await deleteExternalApi(parts, request);
        return reply.code(204).send(null);
      },
    );
  };

type CreateRequest = FastifyRequest<{
  Body: Static<typeof ExternalApiRequest>;
  Headers: Static<typeof IdempotencyHeader>;
}>;
type OneRequest = FastifyRequest<{ Params: Static<typeof IdParams> }>;
type ChangeRequest = FastifyRequest<{
  Params: Static<typeof IdParams>;
  Body: Static<typeof ExternalApiChanges>;
}>;

export async function createExternalApi(
  { externalApis, outgoing, idempotency, clock }: ExternalApiParts,
  { account, body, headers, log, method, routeOptions }: CreateRequest,
): Promise<Answered<Static<typeof ExternalApiBody>>> {
  requireFeature(account, 'external_apis');
  const { type, name, url, api_key: apiKey } = body;
  const same = [method, routeOptions.url, body];
  return idempotency.once(account.id, headers['idempotency-key'], same, async () => {
    checkUrl(outgoing, url);
    const api: ExternalApi = {
      id: newRecordId(),
      accountId: account.id,
      type,
      name,
      url,
      createdAt: clock.now(),
    };
    await externalApis.insert({ ...api, apiKey });
    log.info({ externalApiId: api.id }, 'external api created');
    return { status: 201, body: toExternalApiBody(api) };
  });
}

export async function findExternalApi(
  { externalApis }: ExternalApiParts,
  { account, params }: OneRequest,
): Promise<ExternalApi> {
  const api = await externalApis.find(account.id, params.id);
  if (!api) throw new Fault('not_found');
  return api;
}

export async function changeExternalApi(
  { externalApis, outgoing }: ExternalApiParts,
  { account, params, body: { name, url, api_key: apiKey } }: ChangeRequest,
): Promise<void> {
  if (url !== undefined) checkUrl(outgoing, url);
  const changes = {
    ...(name !== undefined && { name }),
    ...(url !== undefined && { url }),
    ...(apiKey !== undefined && { apiKey }),
  };
  if (!(await externalApis.update(account.id, params.id, changes))) throw new Fault('not_found');
}

export async function deleteExternalApi(
  { externalApis }: ExternalApiParts,
  { account, params, log }: OneRequest,
): Promise<void> {
  if (!(await externalApis.delete(account.id, params.id))) throw new Fault('not_found');
  log.info({ externalApiId: params.id }, 'external api deleted');
}

/** A model may speak plain HTTP: it often stands in the next room. */
function checkUrl(outgoing: Pick<Outgoing, 'checkUrl'>, url: string): void {
  const refused = outgoing.checkUrl(url, 'anywhere');
  if (refused) throw problem('url', ['body', 'url'], refused, url);
}
