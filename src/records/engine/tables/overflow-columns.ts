import { json, number, textOf, text } from './columns.ts';

export const PERIODS = ['day', 'month'] as const;
export type Period = (typeof PERIODS)[number];

/** Money is in millionths of the provider's currency. */
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
