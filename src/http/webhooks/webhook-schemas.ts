import Type, { type Static } from 'typebox';
import { EVENT_TYPES } from '../../events/events.ts';
import type { DeliveryRecord } from '../../records/webhooks/deliveries.ts';
import { DISABLED_REASONS } from '../../records/engine/tables/webhook-columns.ts';
import type { WebhookRecord } from '../../records/webhooks/webhooks.ts';
import { closed } from '../resource/closed-schema.ts';
import { isoTime, named, PageQuery, pageOf, Time } from '../resource/schema-parts.ts';

const Url = Type.String({
  minLength: 1,
  maxLength: 2048,
  pattern: '^https?://[^\\s\\u0000-\\u001f]+$',
  description:
    'Address that events are posted to: https, or http on this machine. Private network addresses are refused unless the service allows them.',
  examples: ['https://example.com/troupe'],
});
const Events = Type.Array(Type.Enum(EVENT_TYPES, { type: 'string' }), {
  minItems: 1,
  uniqueItems: true,
  description: 'Events to send. A `test` is sent on request even if not listed.',
});
const Description = Type.String({ maxLength: 500, pattern: '^[^\\u0000]*$' });
const Status = Type.Enum(['enabled', 'disabled'], { type: 'string' });

export const WebhookRequest = closed(
  Type.Object(
    { url: Url, events: Events, description: Type.Optional(Description) },
    { $id: 'WebhookRequest' },
  ),
);
export type WebhookRequest = Static<typeof WebhookRequest>;

export const WebhookChanges = closed(
  Type.Object(
    {
      url: Type.Optional(Url),
      events: Type.Optional(Events),
      description: Type.Optional(Description),
      status: Type.Optional({
        ...Status,
        description: 'When enabled again, missed events are delivered with a full set of attempts.',
      }),
    },
    { $id: 'WebhookChanges' },
  ),
);

const webhookFields = {
  id: Type.String({ format: 'uuid' }),
  url: Type.String(),
  events: Type.Array(Type.Enum(EVENT_TYPES, { type: 'string' })),
  description: Type.String(),
  status: Status,
  disabled_reason: Type.Optional(
    Type.Enum(DISABLED_REASONS, {
      type: 'string',
      description:
        '`requested`: disabled by an update. `gone`: the receiver answered 410. `failing`: all deliveries failed for a day.',
    }),
  ),
  former_secret_until: Type.Optional({
    ...Time,
    description: 'After a rotation: deliveries are also signed with the former secret until then.',
  }),
  created_at: Time,
};

export const DEFAULT_OVERLAP_HOURS = 24;

export const RotationQuery = Type.Object({
  overlap_hours: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 168, default: DEFAULT_OVERLAP_HOURS }),
  ),
});

export const WebhookBody = Type.Object(webhookFields, { $id: 'Webhook' });

export const WebhookWithSecret = Type.Object(
  {
    ...webhookFields,
    secret: Type.String({
      description:
        'Key of the signature (Standard Webhooks: `webhook-id`, `webhook-timestamp`, `webhook-signature`). Shown only once.',
    }),
  },
  { $id: 'WebhookWithSecret' },
);

export const WebhookPage = pageOf(named(WebhookBody), 'WebhookPage');

const DeliveryStatus = Type.Enum(['pending', 'delivered', 'failed'], { type: 'string' });

const deliveryFields = {
  id: Type.String({ format: 'uuid' }),
  event_id: Type.String({
    format: 'uuid',
    description: 'Sent as `webhook-id`, the same in every attempt.',
  }),
  type: Type.Enum(EVENT_TYPES, { type: 'string' }),
  status: {
    ...DeliveryStatus,
    description: '`failed`: all attempts of a day failed, and none follows.',
  },
  attempts: Type.Integer({ description: 'Completed attempts.' }),
  created_at: Time,
  next_attempt_at: Type.Optional(Time),
  delivered_at: Type.Optional(Time),
  answer_status: Type.Optional(
    Type.Integer({ description: 'HTTP status of the answer to the last attempt, if any.' }),
  ),
  error: Type.Optional(Type.String({ description: 'Why the last attempt failed.' })),
};

export const DeliveryBody = Type.Object(deliveryFields, { $id: 'WebhookDelivery' });

export const DeliveryWithBody = Type.Object(
  { ...deliveryFields, body: Type.String({ description: 'JSON, as signed and sent.' }) },
  { $id: 'WebhookDeliveryWithBody' },
);

export const DeliveryPage = pageOf(named(DeliveryBody), 'WebhookDeliveryPage');

export const webhookSchemas = [
  WebhookRequest,
  WebhookChanges,
  WebhookBody,
  WebhookWithSecret,
  WebhookPage,
  DeliveryBody,
  DeliveryWithBody,
  DeliveryPage,
];

export const DeliveryQuery = Type.Object({
  ...PageQuery.properties,
  status: Type.Optional(DeliveryStatus),
});

export const DeliveryParams = Type.Object({
  id: Type.String({ minLength: 1 }),
  delivery_id: Type.String({ minLength: 1 }),
});

export const toWebhookBody = (webhook: WebhookRecord): Static<typeof WebhookBody> => ({
  id: webhook.id,
  url: webhook.url,
  events: webhook.events as Static<typeof Events>,
  description: webhook.description,
  status: webhook.status,
  ...(webhook.disabledReason && { disabled_reason: webhook.disabledReason }),
  ...(webhook.formerSecretUntil !== null && {
    former_secret_until: isoTime(webhook.formerSecretUntil),
  }),
  created_at: isoTime(webhook.createdAt),
});

export const toDeliveryBody = (delivery: DeliveryRecord): Static<typeof DeliveryBody> => ({
  id: delivery.id,
  event_id: delivery.eventId,
  type: delivery.type as Static<typeof DeliveryBody>['type'],
  status: delivery.status,
  attempts: delivery.attempts,
  created_at: isoTime(delivery.createdAt),
  ...(delivery.status === 'pending' && { next_attempt_at: isoTime(delivery.dueAt) }),
  ...(delivery.deliveredAt !== null && { delivered_at: isoTime(delivery.deliveredAt) }),
  ...(delivery.answerStatus !== null && { answer_status: delivery.answerStatus }),
  ...(delivery.error !== null && { error: delivery.error }),
});
