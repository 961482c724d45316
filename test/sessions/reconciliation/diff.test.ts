import { describe, expect, test } from 'vitest';
import {
  diff,
  nameOfDifference,
  type LivePlace,
  type Row,
  type Witnesses,
} from '../../../src/sessions/reconciliation/diff.ts';

const lease = { sessionId: 'session-1', epoch: 2, workerId: 'worker-a' };
const session: LivePlace = { id: 'session-1', epoch: 2, builtInRoom: 'room-1', lease };
const row: Row = { id: 'session-1', epoch: 2, workerId: 'worker-a', builtInRoom: 'room-1' };
const agreeing: Witnesses = {
  leases: [lease],
  sessions: [session],
  rows: [row],
  workers: [{ workerId: 'worker-a', performing: [{ sessionId: 'session-1', epoch: 2 }] }],
  rooms: ['room-1'],
};
const find = (witnesses: Partial<Witnesses>) =>
  [...diff({ ...agreeing, ...witnesses })].filter((step) => step !== null);
const kinds = (witnesses: Partial<Witnesses>) => find(witnesses).map(({ kind }) => kind);

describe('differences', () => {
  test('are empty when all sources agree', () => {
    expect(kinds({})).toEqual([]);
  });

  test('are empty for sources that did not answer', () => {
    expect(kinds({ rooms: null })).toEqual([]);
    expect(kinds({ workers: [{ workerId: 'worker-a', performing: null }] })).toEqual([]);
  });

  test('are empty while a session waits for a worker', () => {
    const searching = { ...session, lease: null };
    const idle = [{ workerId: 'worker-a', performing: [] }];

    expect(kinds({ sessions: [searching], leases: [], workers: idle })).toEqual([]);
  });

  test('are empty while a session moves to a reserved slot', () => {
    expect(kinds({ leases: [{ ...lease, epoch: 3, workerId: 'worker-b' }] })).toEqual([]);
  });

  test.each<[string, Partial<Witnesses>, string[]]>([
    [
      'a lease without a session',
      { leases: [lease, { ...lease, sessionId: 'gone' }] },
      ['lease_without_session'],
    ],
    ['a missing lease', { leases: [] }, ['session_without_lease']],
    ['a lease of an older epoch', { leases: [{ ...lease, epoch: 1 }] }, ['session_without_lease']],
    ['a missing or completed row', { rows: [] }, ['session_without_row']],
    [
      'a newer placement in the rows',
      { rows: [{ ...agreeing.rows[0]!, epoch: 3, workerId: 'worker-b' }] },
      ['session_placed_elsewhere'],
    ],
    ['a missing session', { sessions: [], leases: [], workers: [] }, ['row_without_session']],
    [
      'a missing performance',
      { workers: [{ workerId: 'worker-a', performing: [] }] },
      ['session_not_performed'],
    ],
    ['a missing worker', { workers: [] }, ['session_without_worker']],
    [
      'a second performance',
      {
        workers: [
          ...agreeing.workers,
          { workerId: 'worker-b', performing: [{ sessionId: 'session-1', epoch: 1 }] },
        ],
      },
      ['performed_without_session'],
    ],
    ['a missing room', { rooms: [] }, ['session_without_room']],
    ['a room without a session', { rooms: ['room-1', 'room-2'] }, ['room_without_session']],
  ])('name %s', (_what, witnesses, expected) => {
    expect(kinds(witnesses)).toEqual(expected);
  });

  test('leave alone the slot, performance and room of a session that another control plane may own', () => {
    const theirRow = { ...row, id: 'session-2', builtInRoom: 'room-2' };
    const theirLease = { ...lease, sessionId: 'session-2' };

    expect(
      kinds({
        rows: [row, theirRow],
        leases: [lease, theirLease],
        workers: [
          {
            workerId: 'worker-a',
            performing: [lease, theirLease],
          },
        ],
        rooms: ['room-1', 'room-2'],
      }),
    ).toEqual(['row_without_session']);
  });

  test('have a unique name that is equal in every round', () => {
    const differences = find({ leases: [], rows: [], rooms: ['room-2'] });

    expect(new Set(differences.map(nameOfDifference)).size).toBe(differences.length);
    expect(differences.map(nameOfDifference)).toContain(
      'session_without_lease session-1 2 worker-a',
    );
  });
});
