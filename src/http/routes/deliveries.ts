import type {
  FastifyPluginAsyncTypebox,
  TypeBoxTypeProvider,
} from '@fastify/type-provider-typebox';
import { Fault } from '../../errors.ts';
import type { WebhookRecord } from '../../records/webhooks.ts';
import { ignoreBodies } from '../ignored-body.ts';
import { answer, DEFAULT_LIMIT, errors, IdParams, toPage } from '../schemas/common.ts';
import {
  DeliveryBody,
  DeliveryPage,
  DeliveryParams,
  DeliveryQuery,
  toDeliveryBody,
} from '../schemas/webhooks.ts';
import { findWebhook, sendTest, type WebhookParts } from './webhooks.ts';

const tags = ['Webhooks'];

/** What was sent to a webhook, and sending it again. */
export const deliveryRoutes =
  (parts: WebhookParts): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { deliveries, wakeDeliveries, clock } = parts;

    app.get(
      '/v1/webhooks/:id/deliveries',
      {
        schema: {
          tags,
          summary: 'List webhook deliveries',
          description: 'Most recent first, of the last 30 days.',
          params: IdParams,
          querystring: DeliveryQuery,
          response: { 200: answer(DeliveryPage, 'One page.'), ...errors(401, 404, 422) },
        },
      },
      async (request) => {
        const { limit = DEFAULT_LIMIT, cursor, status } = request.query;
        const { id } = await findWebhook(parts, request.account.id, request.params.id);
        const { data, nextCursor } = await deliveries.page(id, { limit, cursor, status });
        return toPage(data.map(toDeliveryBody), nextCursor);
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
            description: 'Sends it a `test`, whatever events it wants.',
            params: IdParams,
            response: {
              202: answer(DeliveryBody, 'The delivery that is made now.'),
              ...errors(401, 404, 409),
            },
          },
        },
        async (request, reply) => {
          const webhook = await findWebhook(parts, request.account.id, request.params.id);
          refuseDisabled(webhook);
          return reply.code(202).send(toDeliveryBody(await sendTest(parts, webhook)));
        },
      );

      bodiless.withTypeProvider<TypeBoxTypeProvider>().post(
        '/v1/webhooks/:id/deliveries/:delivery_id/redeliver',
        {
          schema: {
            tags,
            summary: 'Redeliver to webhook',
            description:
              'Tries it now as if it were new, in whatever state it is, and first what must arrive before it.',
            params: DeliveryParams,
            response: {
              202: answer(DeliveryBody, 'The delivery, pending.'),
              ...errors(401, 404, 409),
            },
          },
        },
        async (request, reply) => {
          const { id, delivery_id: deliveryId } = request.params;
          const webhook = await findWebhook(parts, request.account.id, id);
          refuseDisabled(webhook);
          const delivery = await deliveries.again(webhook.id, deliveryId, clock.now());
          if (!delivery) throw new Fault('not_found');
          wakeDeliveries([webhook.id]);
          return reply.code(202).send(toDeliveryBody(delivery));
        },
      );
    });
  };

function refuseDisabled({ status }: WebhookRecord): void {
  if (status === 'enabled') return;
  throw new Fault('conflict', { detail: 'The webhook is disabled. Enable it first.' });
}
