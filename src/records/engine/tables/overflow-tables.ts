/* Money is in millionths of the provider's currency. */
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
