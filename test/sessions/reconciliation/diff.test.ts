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
const find = (given: Partial<Witnesses>) =>
  [...diff({ ...agreeing, ...given })].filter((step) => step !== null);
const kinds = (given: Partial<Witnesses>) => find(given).map(({ kind }) => kind);

describe('differences', () => {
  test('are none when all agree', () => {
    expect(kinds({})).toEqual([]);
  });

  test('are none about what nobody can tell', () => {
    expect(kinds({ rooms: null })).toEqual([]);
    expect(kinds({ workers: [{ workerId: 'worker-a', performing: null }] })).toEqual([]);
  });

  test('are none while a session waits for a worker', () => {
    const searching = { ...session, lease: null };
    const idle = [{ workerId: 'worker-a', performing: [] }];

    expect(kinds({ sessions: [searching], leases: [], workers: idle })).toEqual([]);
  });

  test('are none while a session moves to a slot that it has already', () => {
    expect(kinds({ leases: [{ ...lease, epoch: 3, workerId: 'worker-b' }] })).toEqual([]);
  });

  test.each<[string, Partial<Witnesses>, string[]]>([
    [
      'a lease that nobody needs',
      { leases: [lease, { ...lease, sessionId: 'gone' }] },
      ['lease_without_session'],
    ],
    ['a lease that is missing', { leases: [] }, ['session_without_lease']],
    ['a lease of an older epoch', { leases: [{ ...lease, epoch: 1 }] }, ['session_without_lease']],
    ['a row that is missing or completed', { rows: [] }, ['session_without_row']],
    [
      'a session that is missing',
      { sessions: [], leases: [], workers: [] },
      ['row_without_session'],
    ],
    [
      'a face that is missing',
      { workers: [{ workerId: 'worker-a', performing: [] }] },
      ['session_not_performed'],
    ],
    ['a worker that is missing', { workers: [] }, ['session_without_worker']],
    [
      'a second face',
      {
        workers: [
          ...agreeing.workers,
          { workerId: 'worker-b', performing: [{ sessionId: 'session-1', epoch: 1 }] },
        ],
      },
      ['performed_without_session'],
    ],
    ['a room that is missing', { rooms: [] }, ['session_without_room']],
    ['a room that nobody needs', { rooms: ['room-1', 'room-2'] }, ['room_without_session']],
  ])('name %s', (_what, given, expected) => {
    expect(kinds(given)).toEqual(expected);
  });

  test('leave slot, face and room alone of a session that may live at another control plane', () => {
    const theirs = { ...row, id: 'session-2', builtInRoom: 'room-2' };
    const theirLease = { ...lease, sessionId: 'session-2' };

    expect(
      kinds({
        rows: [row, theirs],
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

  test('have one name each, the same in each round', () => {
    const found = find({ leases: [], rows: [], rooms: ['room-2'] });

    expect(new Set(found.map(nameOfDifference)).size).toBe(found.length);
    expect(found.map(nameOfDifference)).toContain('session_without_lease session-1 2 worker-a');
  });
});
