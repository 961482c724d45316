import type { RecordOf, RowOf } from '../engine/tables/columns.ts';
import { outsideSessionColumns } from '../engine/tables/overflow-columns.ts';
import { recordRows } from '../engine/tables/record-rows.ts';

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

type Fields = RecordOf<typeof outsideSessionColumns>;

export type OutsideSession = Omit<Fields, 'state' | 'outsideId'> & { state: OutsideState };

const { toRow, toRecord } = recordRows(outsideSessionColumns);

export function toOutsideSession(row: RowOf<typeof outsideSessionColumns>): OutsideSession {
  const { state, outsideId, ...session } = toRecord(row);
  return { ...session, state: stateOf(state, outsideId) };
}

export const toOutsideRow = ({ state, ...session }: OutsideSession) =>
  toRow({
    ...session,
    state: state.type,
    outsideId: 'outsideId' in state ? state.outsideId : null,
  });

function stateOf(type: Fields['state'], outsideId: string | null): OutsideState {
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
