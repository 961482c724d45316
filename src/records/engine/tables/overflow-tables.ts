/* Tables of `records/overflow`. Money is in millionths of the provider's currency. */
export type OverflowsTable = {
  pool: string;
  url: string;
  api_key_sealed: string;
  price_micros: number;
  ceiling_micros: number;
  period: 'day' | 'month';
  max_sessions: number;
  max_minutes: number;
  avatars: string;
  changed_at: number;
};

export type OutsideSessionsTable = {
  session_id: string;
  epoch: number;
  pool: string;
  state: 'reserved' | 'creating' | 'waiting' | 'showing' | 'ending' | 'closed';
  outside_id: string | null;
  price_micros: number;
  limit_ms: number;
  cost_micros: number;
  reserved_at: number;
  heard_at: number;
  length_ms: number;
  end_reason: string | null;
  due_at: number;
  failures: number;
  version: number;
};
