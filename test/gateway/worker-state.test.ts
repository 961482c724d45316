import { describe, expect, test } from 'vitest';
import { CLOSE } from '#protocol/worker/close-codes.ts';
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
const away: State = { type: 'away', link: 'older' };
const sought: State = { type: 'sought', link: 'older' };
const absent: State = { type: 'absent' };

const registered: Event = { type: 'registered', link: 'newer' };
const disconnected = (why: DisconnectReason, isClosing = false): Event => ({
  type: 'disconnected',
  link: 'older',
  why,
  isClosing,
});
const notFound: Event = { type: 'not_found', link: 'older', wasSilent: true };
const foundElsewhere: Event = { type: 'found_elsewhere', link: 'older' };

const leave = (why: DisconnectReason): Effect => ({ type: 'leave_fleet', link: 'older', why });
const reportLost = (wasSilent: boolean): Effect => ({ type: 'report_lost', wasSilent });
const find = (wasSilent: boolean): Effect => ({ type: 'find_elsewhere', link: 'older', wasSilent });
const startTimer: Effect = { type: 'start_timer', link: 'older' };

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
  ['may be elsewhere when it does not return', away, { type: 'timer' }, sought, [find(false)]],
  [
    'may be elsewhere when it falls silent',
    connected,
    disconnected('silent'),
    sought,
    [leave('silent'), find(true)],
  ],
  [
    'is lost when it closes its connection regularly',
    connected,
    disconnected(1000),
    absent,
    [leave(1000), reportLost(false)],
  ],
  [
    'is lost when its token is revoked',
    connected,
    disconnected('token_revoked'),
    absent,
    [leave('token_revoked'), reportLost(false)],
  ],
  [
    'is not lost when the gateway closes',
    connected,
    disconnected(STOPPING, true),
    absent,
    [leave(STOPPING)],
  ],
  ['is connected again when it returns during the search', sought, registered, reconnected, []],
  ['is lost when it is connected nowhere', sought, notFound, absent, [reportLost(true)]],
  ['is not lost when it is connected elsewhere', sought, foundElsewhere, absent, []],
  ['is not lost once it has registered again', reconnected, notFound, reconnected, []],
  [
    'is not lost when it registered again during the search and broke again',
    { type: 'away', link: 'newer' },
    notFound,
    { type: 'away', link: 'newer' },
    [],
  ],
  [
    'is not lost by the answer to an earlier search',
    { type: 'sought', link: 'newer' },
    notFound,
    { type: 'sought', link: 'newer' },
    [],
  ],
];

describe('a worker at the gateway', () => {
  test.each(rows)('%s', (_title, state, event, expected, effects) => {
    expect(advanceWorker(state, event)).toEqual({ state: expected, effects });
  });
});
