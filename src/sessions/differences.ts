/*
 * What must agree, by five witnesses: the fleet's leases, the sessions that live here, the records' rows that are not completed, what workers
 * say they perform, and the rooms that are open on the media server of ours. What only the rows know may live at another control plane: its
 * slot, its face and its room are left alone. Everything here is pure.
 */
import type { Lease, Placement } from '../fleet/fleet.ts';

/** A session that lives in this process; `lease`: null while it waits for a worker. */
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

/** `performing`: null when it has never said so in full. */
export type Performer = { workerId: string; performing: readonly Placement[] | null };

export type Witnesses = {
  leases: readonly Lease[];
  sessions: readonly LivePlace[];
  rows: readonly Row[];
  workers: readonly Performer[];
  /** Null when the media server does not answer. */
  rooms: readonly string[] | null;
};

export type Difference =
  | { kind: 'lease_without_session'; lease: Lease }
  | { kind: 'session_without_lease'; lease: Lease }
  | { kind: 'session_without_row'; sessionId: string }
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
  row_without_session: 'The records have a session as not completed that is not there.',
  session_without_worker: 'A session is placed on a worker that is not connected.',
  session_not_performed: 'A worker does not perform a session that it should.',
  performed_without_session: 'A worker performs what is not placed on it.',
  session_without_room: 'The room of a session is not open.',
  room_without_session: 'A room is open whose session is over.',
} as const satisfies Record<Difference['kind'], string>;

export function differences({ leases, sessions, rows, workers, rooms }: Witnesses): Difference[] {
  const found: Difference[] = [];
  const leased = new Map(leases.map(({ sessionId, epoch }) => [sessionId, epoch]));
  const placed = new Set([
    ...sessions.flatMap(({ lease }) => (lease ? [nameOf(lease)] : [])),
    ...rows.map(({ id, epoch, workerId }) =>
      nameOf({ sessionId: id, epoch, workerId: workerId ?? '' }),
    ),
  ]);
  const live = new Set(sessions.map(({ id }) => id));
  const recorded = new Set(rows.map(({ id }) => id));

  for (const lease of leases) {
    const isKnown = live.has(lease.sessionId) || recorded.has(lease.sessionId);
    if (!isKnown) found.push({ kind: 'lease_without_session', lease });
  }
  for (const { id: sessionId, lease } of sessions) {
    if (!recorded.has(sessionId)) found.push({ kind: 'session_without_row', sessionId });
    // A newer one is that of the worker to which the session is about to move.
    const isLeased = lease && (leased.get(sessionId) ?? 0) >= lease.epoch;
    if (lease && !isLeased) found.push({ kind: 'session_without_lease', lease });
  }
  for (const { id: sessionId, workerId } of rows) {
    if (!live.has(sessionId)) found.push({ kind: 'row_without_session', sessionId, workerId });
  }

  const saying = workers.flatMap(({ workerId, performing }) =>
    performing ? [{ workerId, performing }] : [],
  );
  const performed = saying.flatMap(({ workerId, performing }) =>
    performing.map(({ sessionId, epoch }) => ({ workerId, sessionId, epoch })),
  );
  for (const lease of performed) {
    if (!placed.has(nameOf(lease))) found.push({ kind: 'performed_without_session', lease });
  }
  const connected = new Set(workers.map(({ workerId }) => workerId));
  const said = new Set(saying.map(({ workerId }) => workerId));
  const isPerformed = new Set(performed.map(nameOf));
  for (const { lease } of sessions) {
    if (lease && !connected.has(lease.workerId)) {
      found.push({ kind: 'session_without_worker', lease });
    }
    if (lease && said.has(lease.workerId) && !isPerformed.has(nameOf(lease))) {
      found.push({ kind: 'session_not_performed', lease });
    }
  }
  return rooms ? [...found, ...ofRooms(rooms, sessions, rows)] : found;
}

function ofRooms(
  rooms: readonly string[],
  sessions: readonly LivePlace[],
  rows: readonly Row[],
): Difference[] {
  const open = new Set(rooms);
  const wanted = new Set([...sessions, ...rows].map(({ builtInRoom }) => builtInRoom));
  return [
    ...sessions.flatMap(({ id: sessionId, builtInRoom: room }) =>
      room === null || open.has(room)
        ? []
        : [{ kind: 'session_without_room' as const, sessionId, room }],
    ),
    ...rooms
      .filter((room) => !wanted.has(room))
      .map((room) => ({ kind: 'room_without_session' as const, room })),
  ];
}

/** One name for what is the same difference in the next round. */
export function nameOfDifference(difference: Difference): string {
  const about = 'lease' in difference ? nameOf(difference.lease) : whatIn(difference);
  return `${difference.kind} ${about}`;
}

const whatIn = (difference: Exclude<Difference, { lease: Lease }>): string =>
  'sessionId' in difference ? difference.sessionId : difference.room;

const nameOf = ({ sessionId, epoch, workerId }: Lease): string =>
  `${sessionId} ${epoch} ${workerId}`;
