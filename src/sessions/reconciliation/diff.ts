/*
 * Pure comparison of leases, live sessions, uncompleted rows, reported performances and built-in
 * rooms. A session that only the rows know may belong to another control plane, so its slot,
 * performance and room are left alone.
 */
import type { Lease, Placement } from '../../fleet/fleet.ts';

/** A live session. `lease` is null while it has no worker. */
export type LivePlace = {
  id: string;
  epoch: number;
  builtInRoom: string | null;
  lease: Lease | null;
};

export type Row = {
  id: string;
  epoch: number;
  workerId: string | null;
  builtInRoom: string | null;
};

/** `performing`: null while it is not known. */
type Performer = { workerId: string; performing: readonly Placement[] | null };

export type Witnesses = {
  leases: readonly Lease[];
  sessions: readonly LivePlace[];
  rows: readonly Row[];
  workers: readonly Performer[];
  /** Null when the media server did not answer. */
  rooms: readonly string[] | null;
};

export type Difference =
  | { kind: 'lease_without_session'; lease: Lease }
  | { kind: 'session_without_lease'; lease: Lease }
  | { kind: 'session_without_row'; sessionId: string }
  | { kind: 'session_placed_elsewhere'; sessionId: string }
  | { kind: 'row_without_session'; sessionId: string; workerId: string | null }
  | { kind: 'session_without_worker'; lease: Lease }
  | { kind: 'session_not_performed'; lease: Lease }
  | { kind: 'performed_without_session'; lease: Lease }
  | { kind: 'session_without_room'; sessionId: string; room: string }
  | { kind: 'room_without_session'; room: string };

export const DIFFERENCES = {
  lease_without_session: 'A slot is held for a session that is not there.',
  session_without_lease: 'A session is placed on a worker, and no slot is held for it.',
  session_without_row: 'A session goes on that is completed in the records, or not in them.',
  session_placed_elsewhere:
    'The records have a newer placement of a session than the control plane that owns it.',
  row_without_session: 'The records have a session as not completed that is not there.',
  session_without_worker: 'A session is placed on a worker that is not connected.',
  session_not_performed: 'A worker does not perform a session that it should.',
  performed_without_session: 'A worker performs what is not placed on it.',
  session_without_room: 'The room of a session is not open.',
  room_without_session: 'A room is open whose session is over.',
} as const satisfies Record<Difference['kind'], string>;

/** Yields once per item, null without a difference, so that the caller can pause in between. */
export function* diff(witnesses: Witnesses): Generator<Difference | null> {
  const { leases, sessions, rows, workers, rooms } = witnesses;
  const leased = new Map<string, number>();
  const live = new Set<string>();
  const recorded = new Map<string, number>();
  const placed = new Set<string>();
  yield* each(leases, ({ sessionId, epoch }) => void leased.set(sessionId, epoch));
  yield* each(sessions, ({ id, lease }) => {
    live.add(id);
    if (lease) placed.add(nameOf(lease));
  });
  yield* each(rows, ({ id, epoch, workerId }) => {
    recorded.set(id, epoch);
    placed.add(nameOf({ sessionId: id, epoch, workerId: workerId ?? '' }));
  });

  yield* each(leases, (lease) => {
    const isKnown = live.has(lease.sessionId) || recorded.has(lease.sessionId);
    if (!isKnown) return { kind: 'lease_without_session', lease };
  });
  yield* each(sessions, ({ id: sessionId, epoch }) => {
    const recordedEpoch = recorded.get(sessionId);
    if (recordedEpoch === undefined) return { kind: 'session_without_row', sessionId };
    if (recordedEpoch > epoch) return { kind: 'session_placed_elsewhere', sessionId };
  });
  yield* each(sessions, ({ id, lease }) => {
    // A newer lease belongs to the worker that the session is about to move to.
    const isLeased = lease && (leased.get(id) ?? 0) >= lease.epoch;
    if (lease && !isLeased) return { kind: 'session_without_lease', lease };
  });
  yield* each(rows, ({ id: sessionId, workerId }) => {
    if (!live.has(sessionId)) return { kind: 'row_without_session', sessionId, workerId };
  });

  const connected = new Set<string>();
  const reportingIds = new Set<string>();
  const performed = new Set<string>();
  yield* each(workers, ({ workerId, performing }) => {
    connected.add(workerId);
    if (performing) reportingIds.add(workerId);
  });
  yield* each(performedBy(workers), (lease) => {
    performed.add(nameOf(lease));
    if (!placed.has(nameOf(lease))) return { kind: 'performed_without_session', lease };
  });
  yield* each(sessions, ({ lease }) => {
    if (!lease) return;
    if (!connected.has(lease.workerId)) return { kind: 'session_without_worker', lease };
    if (reportingIds.has(lease.workerId) && !performed.has(nameOf(lease)))
      return { kind: 'session_not_performed', lease };
  });
  if (rooms) yield* ofRooms(rooms, sessions, rows);
}

function* ofRooms(
  rooms: readonly string[],
  sessions: readonly LivePlace[],
  rows: readonly Row[],
): Generator<Difference | null> {
  const open = new Set<string>();
  const wantedRooms = new Set<string | null>();
  yield* each(rooms, (room) => void open.add(room));
  yield* each(sessions, ({ builtInRoom }) => void wantedRooms.add(builtInRoom));
  yield* each(rows, ({ builtInRoom }) => void wantedRooms.add(builtInRoom));
  yield* each(sessions, ({ id: sessionId, builtInRoom: room }) => {
    if (room !== null && !open.has(room)) return { kind: 'session_without_room', sessionId, room };
  });
  yield* each(rooms, (room) => {
    if (!wantedRooms.has(room)) return { kind: 'room_without_session', room };
  });
}

function* each<Item>(
  items: Iterable<Item>,
  look: (item: Item) => Difference | undefined | void,
): Generator<Difference | null> {
  for (const item of items) yield look(item) ?? null;
}

function* performedBy(workers: readonly Performer[]): Generator<Lease> {
  for (const { workerId, performing } of workers)
    for (const { sessionId, epoch } of performing ?? []) yield { workerId, sessionId, epoch };
}

/** Equal for the same difference in consecutive rounds. */
export function nameOfDifference(difference: Difference): string {
  const about = 'lease' in difference ? nameOf(difference.lease) : whatIn(difference);
  return `${difference.kind} ${about}`;
}

const whatIn = (difference: Exclude<Difference, { lease: Lease }>): string =>
  'sessionId' in difference ? difference.sessionId : difference.room;

const nameOf = ({ sessionId, epoch, workerId }: Lease): string =>
  `${sessionId} ${epoch} ${workerId}`;
