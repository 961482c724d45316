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
  /** Of the first failed attempt since the last success. */
  failingSince: { column: 'failing_since', codec: orNull(number) },
  createdAt: { column: 'created_at', codec: number },
} as const;
