import { describe, expect, test } from 'vitest';
import { CLOSE } from '#protocol/close-codes.ts';
import {
  advanceWorker,
  type DisconnectReason,
  type WorkerEffect,
  type WorkerEvent,
  type WorkerState,
} from '../../src/gateway/worker-state.ts';

type State = WorkerState<string>;
type Event = WorkerEvent<string>;
type Effect = WorkerEffect<string>;

const connected: State = { type: 'connected', link: 'older' };
const reconnected: State = { type: 'connected', link: 'newer' };
const away: State = { type: 'away' };
const absent: State = { type: 'absent' };

const registered: Event = { type: 'registered', link: 'newer' };
const disconnected = (why: DisconnectReason, isClosing = false): Event => ({
  type: 'disconnected',
  link: 'older',
  why,
  isClosing,
});
const notFound: Event = { type: 'not_found', wasSilent: true };

const leave = (why: DisconnectReason): Effect => ({ type: 'leave_fleet', link: 'older', why });
const lost = (wasSilent: boolean): Effect => ({ type: 'report_lost', wasSilent });
const find = (wasSilent: boolean): Effect => ({ type: 'find_elsewhere', wasSilent });
const startTimer: Effect = { type: 'start_timer' };

const STOPPING = CLOSE.service_stopping.code;

type Row = [string, State, Event, State, Effect[]];

const rows: Row[] = [
  ['is connected once it registers', absent, registered, reconnected, []],
  [
    'is connected again when it returns in time',
    away,
    registered,
    reconnected,
    [{ type: 'stop_timer' }],
  ],
  [
    'keeps only its newest connection',
    connected,
    registered,
    reconnected,
    [{ type: 'replace', link: 'older' }],
  ],
  ['is not affected by a replaced connection', reconnected, disconnected(1006), reconnected, []],
  ['leaves the fleet once', away, disconnected(1006), away, []],
  [
    'may return when its connection breaks',
    connected,
    disconnected(1006),
    away,
    [leave(1006), startTimer],
  ],
  [
    'may return when it broke the protocol',
    connected,
    disconnected('bad_message'),
    away,
    [leave('bad_message'), startTimer],
  ],
  ['may be elsewhere when it does not return', away, { type: 'timer' }, absent, [find(false)]],
  [
    'may be elsewhere when it falls silent',
    connected,
    disconnected('silent'),
    absent,
    [leave('silent'), find(true)],
  ],
  [
    'is lost when it closes its connection regularly',
    connected,
    disconnected(1000),
    absent,
    [leave(1000), lost(false)],
  ],
  [
    'is lost when its token is revoked',
    connected,
    disconnected('token_revoked'),
    absent,
    [leave('token_revoked'), lost(false)],
  ],
  [
    'is not lost when the gateway closes',
    connected,
    disconnected(STOPPING, true),
    absent,
    [leave(STOPPING)],
  ],
  ['is lost when it is connected nowhere', absent, notFound, absent, [lost(true)]],
  ['is not lost once it has registered again', reconnected, notFound, reconnected, []],
];

describe('a worker at the gateway', () => {
  test.each(rows)('%s', (_title, state, event, expected, effects) => {
    expect(advanceWorker(state, event)).toEqual({ state: expected, effects });
  });
});
