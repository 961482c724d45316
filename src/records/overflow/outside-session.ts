import type { Selectable } from 'kysely';
import type { OutsideSessionsTable } from '../engine/tables/overflow-tables.ts';

/** `overflow/advance-outside.ts` has the transitions. */
export type OutsideState =
  /** Counted against the limits; the provider knows nothing yet. */
  | { type: 'reserved' }
  /** The provider was asked, with an unknown outcome. */
  | { type: 'creating' }
  | { type: 'waiting'; outsideId: string }
  | { type: 'showing'; outsideId: string }
  /** To be ended there. Null: it may not exist. */
  | { type: 'ending'; outsideId: string | null }
  | { type: 'closed'; outsideId: string | null };

/** One placement of a session at an outside service. Times are milliseconds since the epoch. */
export type OutsideSession = {
  sessionId: string;
  epoch: number;
  pool: string;
  state: OutsideState;
  priceMicros: number;
  /** Longest length, which the provider enforces. */
  limitMs: number;
  /** The most that it may cost while it is open, then what it cost. */
  costMicros: number;
  reservedAt: number;
  /** The provider's last answer about it, or the first request. */
  heardAt: number;
  /** As the provider says. */
  lengthMs: number;
  /** In the provider's words. */
  endReason: string | null;
  /** When it is looked at again. A claim moves it. */
  dueAt: number;
  /** Requests in a row without an answer. */
  failures: number;
  version: number;
};

type Row = Selectable<OutsideSessionsTable>;

export const toOutsideSession = (row: Row): OutsideSession => ({
  sessionId: row.session_id,
  epoch: row.epoch,
  pool: row.pool,
  state: stateOf(row),
  priceMicros: row.price_micros,
  limitMs: row.limit_ms,
  costMicros: row.cost_micros,
  reservedAt: row.reserved_at,
  heardAt: row.heard_at,
  lengthMs: row.length_ms,
  endReason: row.end_reason,
  dueAt: row.due_at,
  failures: row.failures,
  version: row.version,
});

export const toOutsideRow = ({ state, ...session }: OutsideSession): Row => ({
  session_id: session.sessionId,
  epoch: session.epoch,
  pool: session.pool,
  state: state.type,
  outside_id: 'outsideId' in state ? state.outsideId : null,
  price_micros: session.priceMicros,
  limit_ms: session.limitMs,
  cost_micros: session.costMicros,
  reserved_at: session.reservedAt,
  heard_at: session.heardAt,
  length_ms: session.lengthMs,
  end_reason: session.endReason,
  due_at: session.dueAt,
  failures: session.failures,
  version: session.version,
});

function stateOf({ state: type, outside_id: outsideId }: Row): OutsideState {
  switch (type) {
    case 'reserved':
    case 'creating':
      return { type };
    case 'waiting':
    case 'showing':
      return { type, outsideId: outsideId ?? '' };
    case 'ending':
    case 'closed':
      return { type, outsideId };
  }
}
