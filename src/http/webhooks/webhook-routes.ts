import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import { newRecordId } from '#shared/ids.ts';
import { Fault, problem } from '../../errors.ts';
import { testEvent } from '../../events/events.ts';
import { newSigningSecret } from '../../events/signature.ts';
import type { AuditedRecords } from '../../records/audited-records.ts';
import type { DeliveryRecord } from '../../records/webhooks/deliveries.ts';
import type { WebhookRecord } from '../../records/webhooks/webhooks.ts';
import { ignoreBodies } from '../plumbing/ignored-body.ts';
import { answer, errors, IdempotencyHeader, IdParams, named } from '../resource/schema-parts.ts';
import {
  DEFAULT_OVERLAP_HOURS,
  RotationQuery,
  toWebhookBody,
  WebhookBody,
  WebhookChanges,
  WebhookPage,
  WebhookRequest,
  WebhookWithSecret,
} from './webhook-schemas.ts';
import {
  deleteRoute,
  found,
  listRoute,
  retrieveRoute,
  updateRoute,
  type ChangeRequest,
  type IdRequest,
} from '../resource/resource-routes.ts';
import type { Services } from '../services.ts';

/** Per account: every webhook may subscribe to every event. */
const MAX_WEBHOOKS = 50;

const tags = ['Webhooks'];

export const webhookRoutes =
  (services: Services): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { idempotency, auditor } = services;
    const { webhooks } = services.records;

    app.post(
      '/v1/webhooks',
      {
        schema: {
          tags,
          summary: 'Create webhook',
          description: `Events are posted to it from now on, starting with a \`test\`. At most ${MAX_WEBHOOKS} per account.`,
          headers: IdempotencyHeader,
          body: named(WebhookRequest),
          response: {
            201: answer(WebhookWithSecret, 'The webhook with its secret.'),
            ...errors(401, 409, 422),
          },
        },
      },
      async (request, reply) => {
        const { account, body, headers, method, routeOptions } = request;
        const requestIdentity = [method, routeOptions.url, body];
        const key = headers['idempotency-key'];
        const created = await idempotency.once(account.id, key, requestIdentity, async () => {
          const webhook = await createWebhook(services, request, body);
          return { status: 201, body: toBodyWithSecret(webhook) };
        });
        return reply.code(created.status).send(created.body);
      },
    );

    listRoute(app, '/v1/webhooks', {
      schema: {
        tags,
        summary: 'List webhooks',
        description: 'Most recent first.',
        response: { 200: answer(WebhookPage, 'One page.'), ...errors(401, 422) },
      },
      read: ({ account }, page) => webhooks.page(account.id, page),
      toBody: toWebhookBody,
    });

    retrieveRoute(app, '/v1/webhooks/:id', {
      schema: {
        tags,
        summary: 'Retrieve webhook',
        response: { 200: answer(WebhookBody, 'The webhook.'), ...errors(401, 404) },
      },
      find: ({ account, params }) => webhooks.find(account.id, params.id),
      toBody: toWebhookBody,
    });

    updateRoute(app, '/v1/webhooks/:id', {
      schema: {
        tags,
        summary: 'Update webhook',
        description:
          'Omitted fields keep their values. A `test` event is sent when the URL changes or the webhook is enabled again.',
        body: named(WebhookChanges),
        response: errors(401, 404, 422),
      },
      update: (request) => changeWebhook(services, request),
    });

    await deleteRoute(app, '/v1/webhooks/:id', {
      schema: {
        tags,
        summary: 'Delete webhook',
        description: 'Pending deliveries are deleted too.',
        response: errors(401, 404),
      },
      remove: (request) =>
        auditor.around(request, audited(request, 'webhook.deleted'), (records) =>
          records.webhooks.remove(request.account.id, request.params.id),
        ),
    });
    await app.register(rotateRoute(services));
  };

const rotateRoute =
  ({ auditor, clock }: Services): FastifyPluginAsyncTypebox =>
  async (app) => {
    ignoreBodies(app);
    app.post(
      '/v1/webhooks/:id/rotate-secret',
      {
        schema: {
          tags,
          summary: 'Rotate webhook secret',
          description:
            'Deliveries are signed with both secrets for `overlap_hours`, so that receivers can change without a gap, and then with the new one only. Use 0 if the former secret is known to others.',
          params: IdParams,
          querystring: RotationQuery,
          response: {
            200: answer(WebhookWithSecret, 'The webhook with its new secret.'),
            ...errors(401, 404, 422),
          },
        },
      },
      async (request) => {
        const { account, params } = request;
        const { overlap_hours: hours = DEFAULT_OVERLAP_HOURS } = request.query;
        const rotation = {
          secret: newSigningSecret(),
          formerSecretUntil: hours === 0 ? null : clock.now() + hours * 3_600_000,
        };
        const rotating = audited(request, 'webhook.secret_rotated');
        const webhook = await auditor.around(
          request,
          { ...rotating, newSecrets: ['secret'] },
          ({ webhooks }) => webhooks.rotateSecret(account.id, params.id, rotation),
        );
        return toBodyWithSecret(found(webhook));
      },
    );
  };

const audited = (
  { account, params }: IdRequest,
  action: 'webhook.updated' | 'webhook.deleted' | 'webhook.secret_rotated',
) => ({
  action,
  targetId: params.id,
  async read({ webhooks }: AuditedRecords) {
    const webhook = await webhooks.find(account.id, params.id);
    return webhook && toWebhookBody(webhook);
  },
});

async function createWebhook(
  services: Services,
  request: FastifyRequest,
  { url, events, description = '' }: WebhookRequest,
): Promise<WebhookRecord> {
  const { outgoing, auditor, clock } = services;
  checkUrl(outgoing, url);
  const webhook: WebhookRecord = {
    id: newRecordId(),
    accountId: request.account.id,
    url,
    events,
    description,
    secret: newSigningSecret(),
    formerSecret: null,
    formerSecretUntil: null,
    status: 'enabled',
    disabledReason: null,
    failingSince: null,
    createdAt: clock.now(),
  };
  const webhookBody = toWebhookBody(webhook);
  const created = { action: 'webhook.created', targetId: webhook.id, after: webhookBody } as const;
  const isInserted = await auditor.change(request, created, ({ webhooks }) =>
    webhooks.insert(webhook, MAX_WEBHOOKS),
  );
  if (!isInserted) {
    const detail = `An account may have ${MAX_WEBHOOKS} webhooks. Delete one first.`;
    throw new Fault('conflict', { detail });
  }
  await sendTest(services, webhook);
  return webhook;
}

async function changeWebhook(
  services: Services,
  request: ChangeRequest<Static<typeof WebhookChanges>>,
): Promise<boolean> {
  const { outgoing, auditor, clock } = services;
  const { account, params, body } = request;
  const webhook = await findWebhook(services, account.id, params.id);
  if (body.url !== undefined) checkUrl(outgoing, body.url);
  const changing = audited(request, 'webhook.updated');
  const changedWebhook = found(
    await auditor.around(request, changing, ({ webhooks }) =>
      webhooks.update(account.id, webhook.id, body, clock.now()),
    ),
  );
  const isNew = webhook.url !== changedWebhook.url || webhook.status !== changedWebhook.status;
  if (isNew && changedWebhook.status === 'enabled') await sendTest(services, changedWebhook);
  return true;
}

export const findWebhook = async (
  { records: { webhooks } }: Services,
  accountId: string,
  id: string,
): Promise<WebhookRecord> => found(await webhooks.find(accountId, id));

export async function sendTest(
  { records: { deliveries }, webhooks, clock }: Services,
  { accountId, id }: WebhookRecord,
): Promise<DeliveryRecord> {
  const now = clock.now();
  const delivery = await deliveries.add(id, testEvent(accountId, id, now), now);
  webhooks.wake([id]);
  return delivery;
}

function checkUrl(outgoing: Services['outgoing'], url: string): void {
  const refused = outgoing.checkUrl(url);
  if (refused) throw problem('url', ['body', 'url'], refused, url);
}

const toBodyWithSecret = (webhook: WebhookRecord) => ({
  ...toWebhookBody(webhook),
  secret: webhook.secret,
});
