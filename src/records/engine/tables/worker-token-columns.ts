import type { WorkerKind } from '#protocol/worker/worker-messages.ts';
import { number, orNull, text, textOf } from './columns.ts';

/** Times are milliseconds since the epoch. */
export const workerTokenColumns = {
  id: { column: 'id', codec: text },
  name: { column: 'name', codec: text },
  /** Which workers may use the token. Null: all. */
  kind: { column: 'kind', codec: orNull(textOf<WorkerKind>()) },
  pool: { column: 'pool', codec: orNull(text) },
  createdAt: { column: 'created_at', codec: number },
  /** Accurate to a minute. */
  lastUsedAt: { column: 'last_used_at', codec: orNull(number) },
  revokedAt: { column: 'revoked_at', codec: orNull(number) },
} as const;
