/* Money is in millionths of the provider's currency. */
import { json, number, orNull, text, textOf } from './columns.ts';

export const PERIODS = ['day', 'month'] as const;
export type Period = (typeof PERIODS)[number];

export const overflowColumns = {
  pool: { column: 'pool', codec: text },
  /** Base address of the provider's API. */
  url: { column: 'url', codec: text },
  /** Per minute. */
  priceMicros: { column: 'price_micros', codec: number },
  /** For each period, in UTC. */
  ceilingMicros: { column: 'ceiling_micros', codec: number },
  period: { column: 'period', codec: textOf<Period>() },
  /** Open sessions there. 0: it takes no new ones. */
  maxSessions: { column: 'max_sessions', codec: number },
  /** Longest session there. */
  maxMinutes: { column: 'max_minutes', codec: number },
  /** The provider's avatar by ours. Others have the same id there. */
  avatars: { column: 'avatars', codec: json<Record<string, string>>() },
} as const;

/** One placement of a session at an outside service. Times are milliseconds since the epoch. */
export const outsideSessionColumns = {
  sessionId: { column: 'session_id', codec: text },
  epoch: { column: 'epoch', codec: number },
  pool: { column: 'pool', codec: text },
  state: {
    column: 'state',
    codec: textOf<'reserved' | 'creating' | 'waiting' | 'showing' | 'ending' | 'closed'>(),
  },
  outsideId: { column: 'outside_id', codec: orNull(text) },
  priceMicros: { column: 'price_micros', codec: number },
  /** Longest length, which the provider enforces. */
  limitMs: { column: 'limit_ms', codec: number },
  /** The most that it may cost while it is open, then what it cost. */
  costMicros: { column: 'cost_micros', codec: number },
  reservedAt: { column: 'reserved_at', codec: number },
  /** The provider's last answer about it, or the first request. */
  heardAt: { column: 'heard_at', codec: number },
  /** As the provider says. */
  lengthMs: { column: 'length_ms', codec: number },
  /** In the provider's words. */
  endReason: { column: 'end_reason', codec: orNull(text) },
  /** When it is looked at again. A claim moves it. */
  dueAt: { column: 'due_at', codec: number },
  /** Requests in a row without an answer. */
  failures: { column: 'failures', codec: number },
  version: { column: 'version', codec: number },
} as const;
