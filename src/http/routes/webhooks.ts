import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import type { Clock } from '#shared/clock.ts';
import { newRecordId } from '#shared/ids.ts';
import type { Outgoing } from '../../egress/outgoing.ts';
import { Fault, problem } from '../../errors.ts';
import { testEvent } from '../../events/events.ts';
import { newSigningSecret } from '../../events/signature.ts';
import type { DeliveryRecord, DeliveryRecords } from '../../records/deliveries.ts';
import type { WebhookRecord, WebhookRecords } from '../../records/webhooks.ts';
import type { Idempotency } from '../limits/idempotency.ts';
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
  toWebhookBody,
  WebhookBody,
  WebhookChanges,
  WebhookPage,
  WebhookRequest,
  WebhookWithSecret,
} from '../schemas/webhooks.ts';

export type WebhookParts = {
  webhooks: WebhookRecords;
  deliveries: DeliveryRecords;
  /** These webhooks have something to get. */
  wakeDeliveries: (webhookIds: string[]) => void;
  outgoing: Pick<Outgoing, 'checkUrl'>;
  idempotency: Idempotency;
  clock: Clock;
};

/** Of one account: each may be told of every event. */
const MAX_WEBHOOKS = 50;

const tags = ['Webhooks'];

export const webhookRoutes =
  (parts: WebhookParts): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { webhooks, outgoing, idempotency, clock } = parts;

    app.post(
      '/v1/webhooks',
      {
        schema: {
          tags,
          summary: 'Create webhook',
          description: `Events are posted to it from now on, first a \`test\`. An account may have ${MAX_WEBHOOKS}.`,
          headers: IdempotencyHeader,
          body: named(WebhookRequest),
          response: {
            201: answer(WebhookWithSecret, 'The webhook, with its secret.'),
            ...errors(401, 409, 422),
          },
        },
      },
      async (request, reply) => {
        const { account, body, headers, method, routeOptions } = request;
        const same = [method, routeOptions.url, body];
        const key = headers['idempotency-key'];
        const created = await idempotency.once(account.id, key, same, async () => {
          const webhook = await createWebhook(parts, account.id, body);
          return { status: 201, body: toBodyWithSecret(webhook) };
        });
        return reply.code(created.status).send(created.body);
      },
    );

    app.get(
      '/v1/webhooks',
      {
        schema: {
          tags,
          summary: 'List webhooks',
          description: 'Most recent first.',
          querystring: PageQuery,
          response: { 200: answer(WebhookPage, 'One page.'), ...errors(401, 422) },
        },
      },
      async (request) => {
        const { limit = DEFAULT_LIMIT, cursor } = request.query;
        const { data, nextCursor } = await webhooks.page(request.account.id, { limit, cursor });
        return toPage(data.map(toWebhookBody), nextCursor);
      },
    );

    app.get(
      '/v1/webhooks/:id',
      {
        schema: {
          tags,
          summary: 'Retrieve webhook',
          params: IdParams,
          response: { 200: answer(WebhookBody, 'The webhook.'), ...errors(401, 404) },
        },
      },
      async (request) =>
        toWebhookBody(await findWebhook(parts, request.account.id, request.params.id)),
    );

    app.patch(
      '/v1/webhooks/:id',
      {
        schema: {
          tags,
          summary: 'Update webhook',
          description:
            'Fields that are left out stay. A `test` is sent to a new url, and when it is enabled again.',
          params: IdParams,
          body: named(WebhookChanges),
          response: { 204: Type.Null({ description: 'It is changed.' }), ...errors(401, 404, 422) },
        },
      },
      async (request, reply) => {
        const { id: accountId } = request.account;
        const { body } = request;
        const before = await findWebhook(parts, accountId, request.params.id);
        if (body.url !== undefined) checkUrl(outgoing, body.url);
        const after = await webhooks.update(accountId, before.id, body, clock.now());
        if (!after) throw new Fault('not_found');
        const isNew = before.url !== after.url || before.status !== after.status;
        if (isNew && after.status === 'enabled') await sendTest(parts, after);
        return reply.code(204).send(null);
      },
    );

    await app.register(bodilessRoutes(parts));
  };

const bodilessRoutes =
  (parts: WebhookParts): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { webhooks, clock } = parts;
    ignoreBodies(app);

    app.delete(
      '/v1/webhooks/:id',
      {
        schema: {
          tags,
          summary: 'Delete webhook',
          description: 'With what was still to be delivered to it.',
          params: IdParams,
          response: { 204: Type.Null({ description: 'It is gone.' }), ...errors(401, 404) },
        },
      },
      async (request, reply) => {
        const isGone = await webhooks.remove(request.account.id, request.params.id);
        if (!isGone) throw new Fault('not_found');
        return reply.code(204).send(null);
      },
    );

    app.post(
      '/v1/webhooks/:id/rotate-secret',
      {
        schema: {
          tags,
          summary: 'Rotate webhook secret',
          description: 'From now on deliveries are signed with the new one only.',
          params: IdParams,
          response: {
            200: answer(WebhookWithSecret, 'The webhook, with its new secret.'),
            ...errors(401, 404),
          },
        },
      },
      async (request) => {
        const { account, params } = request;
        const changes = { secret: newSigningSecret() };
        const webhook = await webhooks.update(account.id, params.id, changes, clock.now());
        if (!webhook) throw new Fault('not_found');
        return toBodyWithSecret(webhook);
      },
    );
  };

async function createWebhook(
  parts: WebhookParts,
  accountId: string,
  { url, events, description = '' }: WebhookRequest,
): Promise<WebhookRecord> {
  const { webhooks, outgoing, clock } = parts;
  checkUrl(outgoing, url);
  const webhook: WebhookRecord = {
    id: newRecordId(),
    accountId,
    url,
    events,
    description,
    secret: newSigningSecret(),
    status: 'enabled',
    disabledReason: null,
    createdAt: clock.now(),
  };
  if (!(await webhooks.insert(webhook, MAX_WEBHOOKS))) {
    const detail = `An account may have ${MAX_WEBHOOKS} webhooks. Delete one first.`;
    throw new Fault('conflict', { detail });
  }
  await sendTest(parts, webhook);
  return webhook;
}

export async function findWebhook(
  { webhooks }: Pick<WebhookParts, 'webhooks'>,
  accountId: string,
  id: string,
): Promise<WebhookRecord> {
  const webhook = await webhooks.find(accountId, id);
  if (!webhook) throw new Fault('not_found');
  return webhook;
}

export async function sendTest(
  { deliveries, wakeDeliveries, clock }: WebhookParts,
  { accountId, id }: WebhookRecord,
): Promise<DeliveryRecord> {
  const now = clock.now();
  const delivery = await deliveries.add(id, testEvent(accountId, id, now), now);
  wakeDeliveries([id]);
  return delivery;
}

function checkUrl(outgoing: WebhookParts['outgoing'], url: string): void {
  const refused = outgoing.checkUrl(url);
  if (refused) throw problem('url', ['body', 'url'], refused, url);
}

const toBodyWithSecret = (webhook: WebhookRecord) => ({
  ...toWebhookBody(webhook),
  secret: webhook.secret,
});
