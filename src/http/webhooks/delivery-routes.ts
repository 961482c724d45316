import type {
  FastifyPluginAsyncTypebox,
  TypeBoxTypeProvider,
} from '@fastify/type-provider-typebox';
import { Fault } from '../../errors.ts';
import type { PageRequest } from '../../records/engine/pages.ts';
import type { WebhookRecord } from '../../records/webhooks/webhooks.ts';
import { ignoreBodies } from '../plumbing/ignored-body.ts';
import { answer, errors, IdParams } from '../resource/schema-parts.ts';
import {
  DeliveryBody,
  DeliveryPage,
  DeliveryParams,
  DeliveryQuery,
  DeliveryWithBody,
  toDeliveryBody,
} from './webhook-schemas.ts';
import { answerPage, found } from '../resource/resource-routes.ts';
import { findWebhook, sendTest } from './webhook-routes.ts';
import type { Services } from '../services.ts';

const tags = ['Webhooks'];

/** Deliveries of a webhook: list, test, send again. */
export const deliveryRoutes =
  (services: Services): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { webhooks, clock } = services;
    const { deliveries } = services.records;

    app.get(
      '/v1/webhooks/:id/deliveries',
      {
        schema: {
          tags,
          summary: 'List webhook deliveries',
          description:
            'Most recent first. Deliveries are deleted after 30 days, or as RETENTION_DAYS says.',
          params: IdParams,
          querystring: DeliveryQuery,
          response: { 200: answer(DeliveryPage, 'One page.'), ...errors(401, 404, 422) },
        },
      },
      async (request) => {
        const { account, params, query } = request;
        const { id } = await findWebhook(services, account.id, params.id);
        const read = (page: PageRequest) => deliveries.page(id, { ...page, status: query.status });
        return answerPage(query, read, toDeliveryBody);
      },
    );

    app.get(
      '/v1/webhooks/:id/deliveries/:delivery_id',
      {
        schema: {
          tags,
          summary: 'Retrieve webhook delivery',
          description: 'With the body that is sent.',
          params: DeliveryParams,
          response: {
            200: answer(DeliveryWithBody, 'The delivery.'),
            ...errors(401, 404),
          },
        },
      },
      async (request) => {
        const { id, delivery_id: deliveryId } = request.params;
        const webhook = await findWebhook(services, request.account.id, id);
        const delivery = found(await deliveries.findWithBody(webhook.id, deliveryId));
        return { ...toDeliveryBody(delivery), body: delivery.body };
      },
    );

    await app.register(async (bodiless) => {
      ignoreBodies(bodiless);

      bodiless.withTypeProvider<TypeBoxTypeProvider>().post(
        '/v1/webhooks/:id/test',
        {
          schema: {
            tags,
            summary: 'Test webhook',
            description: 'Sends a `test` event, even if the webhook does not subscribe to it.',
            params: IdParams,
            response: {
              202: answer(DeliveryBody, 'The new delivery.'),
              ...errors(401, 404, 409),
            },
          },
        },
        async (request, reply) => {
          const webhook = await findWebhook(services, request.account.id, request.params.id);
          refuseDisabled(webhook);
          return reply.code(202).send(toDeliveryBody(await sendTest(services, webhook)));
        },
      );

      bodiless.withTypeProvider<TypeBoxTypeProvider>().post(
        '/v1/webhooks/:id/deliveries/:delivery_id/redeliver',
        {
          schema: {
            tags,
            summary: 'Redeliver to webhook',
            description:
              'Tries the delivery again as if it were new, in any state, after the deliveries that must arrive before it.',
            params: DeliveryParams,
            response: {
              202: answer(DeliveryBody, 'The pending delivery.'),
              ...errors(401, 404, 409),
            },
          },
        },
        async (request, reply) => {
          const { id, delivery_id: deliveryId } = request.params;
          const webhook = await findWebhook(services, request.account.id, id);
          refuseDisabled(webhook);
          const delivery = found(await deliveries.again(webhook.id, deliveryId, clock.now()));
          webhooks.wake([webhook.id]);
          return reply.code(202).send(toDeliveryBody(delivery));
        },
      );
    });
  };

function refuseDisabled({ status }: WebhookRecord): void {
  if (status === 'enabled') return;
  throw new Fault('conflict', { detail: 'The webhook is disabled. Enable it first.' });
}
