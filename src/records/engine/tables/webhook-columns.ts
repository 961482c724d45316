import { json, number, orNull, sealed, text, textOf } from './columns.ts';

/** By request; after a 410 answer; or because no attempt succeeded for a day. */
export const DISABLED_REASONS = ['requested', 'gone', 'failing'] as const;
export type DisabledReason = (typeof DISABLED_REASONS)[number];

/** Times are milliseconds since the epoch. */
export const webhookColumns = {
  id: { column: 'id', codec: text },
  accountId: { column: 'account_id', codec: text },
  url: { column: 'url', codec: text },
  events: { column: 'events', codec: json<string[]>() },
  description: { column: 'description', codec: text },
  /** Signs the deliveries. */
  secret: { column: 'secret_sealed', codec: sealed(text) },
  /** Signs them too until `formerSecretUntil`; null: there was none. */
  formerSecret: { column: 'former_secret_sealed', codec: sealed(orNull(text)) },
  formerSecretUntil: { column: 'former_secret_until', codec: orNull(number) },
  status: { column: 'status', codec: textOf<'enabled' | 'disabled'>() },
  disabledReason: { column: 'disabled_reason', codec: orNull(textOf<DisabledReason>()) },
  /** Time of the first failed attempt since the last success. */
  failingSince: { column: 'failing_since', codec: orNull(number) },
  createdAt: { column: 'created_at', codec: number },
} as const;

/** Columns of the delivery of one event to one webhook. */
export const deliveryColumns = {
  id: { column: 'id', codec: text },
  eventId: { column: 'event_id', codec: text },
  status: { column: 'status', codec: textOf<'pending' | 'delivered' | 'failed'>() },
  /** Finished attempts. */
  attempts: { column: 'attempts', codec: number },
  /** Earliest time of the next attempt. A running attempt has already moved it forward. */
  dueAt: { column: 'due_at', codec: number },
  /** HTTP status of the last attempt. */
  answerStatus: { column: 'answer_status', codec: orNull(number) },
  error: { column: 'error', codec: orNull(text) },
  deliveredAt: { column: 'delivered_at', codec: orNull(number) },
  createdAt: { column: 'created_at', codec: number },
} as const;
