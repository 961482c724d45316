import { describe, expect, test } from 'vitest';
import { CLOSE } from '#protocol/worker/close-codes.ts';
import {
  advanceLink,
  type LinkEffect,
  type LinkEvent,
  type LinkState,
} from '../../../workers/runtime/link-state.ts';

const OPEN_MS = 5_000;

const freshRetry = { failures: 0, isRevoked: false };
const gateway = {
  pingEveryMs: 1_000,
  beatEveryMs: 500,
  keepsTimelines: true,
  takesBudgetEnds: true,
  takesAbilities: true,
};
const newer = { ...gateway, pingEveryMs: 2_000 };

const idle: LinkState = { type: 'idle' };
const closed: LinkState = { type: 'closed' };
const open: LinkState = { type: 'open', gateway };
const connecting: LinkState = { type: 'connecting', ...freshRetry };
const registering: LinkState = { type: 'registering', ...freshRetry };
const waiting: LinkState = { type: 'waiting', failures: 1, isRevoked: false };
const revoked: LinkState = { type: 'waiting', failures: 1, isRevoked: true };

const startTimer = (ms: number): LinkEffect => ({ type: 'start_timer', ms });
const stopTimer: LinkEffect = { type: 'stop_timer' };
const connect: LinkEffect[] = [{ type: 'connect' }, startTimer(OPEN_MS)];
const backOff = (code: number, attempt = 1): LinkEffect => ({ type: 'back_off', code, attempt });
const abandon = (why: string): LinkEffect[] => [{ type: 'abandon', why }, backOff(1006)];
const dismiss = (code: number): LinkEffect[] => [stopTimer, { type: 'dismiss', code }];

const REVOKED = CLOSE.token_revoked.code;
const retrySlowly: LinkEffect[] = [
  { type: 'report_revoked', code: REVOKED, waitMs: 30_000 },
  startTimer(30_000),
];

type Row = [string, LinkState, LinkEvent, LinkState, LinkEffect[]];

const rows: Row[] = [
  ['connects when it is opened', idle, { type: 'opened' }, connecting, connect],
  ['is opened once', waiting, { type: 'opened' }, waiting, []],
  [
    'registers on an open socket',
    connecting,
    { type: 'socket_opened' },
    registering,
    [{ type: 'send_register' }],
  ],
  [
    'is open once it is registered',
    { ...registering, failures: 3, isRevoked: true },
    { type: 'registered', gateway },
    open,
    [startTimer(3_000), { type: 'report_registered' }],
  ],
  [
    'takes new settings from a gateway that registers it again',
    open,
    { type: 'registered', gateway: newer },
    { type: 'open', gateway: newer },
    [startTimer(6_000), { type: 'report_registered' }],
  ],
  ['restarts the wait for a ping', open, { type: 'message_received' }, open, [startTimer(3_000)]],
  [
    'must register in time, whatever it receives',
    registering,
    { type: 'message_received' },
    registering,
    [],
  ],
  [
    'abandons a socket that does not open in time',
    connecting,
    { type: 'timer' },
    waiting,
    abandon('timeout while connecting'),
  ],
  [
    'abandons a gateway that does not register it in time',
    registering,
    { type: 'timer' },
    waiting,
    abandon('timeout while connecting'),
  ],
  [
    'abandons a silent gateway',
    open,
    { type: 'timer' },
    waiting,
    abandon('no message for three pings'),
  ],
  [
    'connects again after a wait',
    waiting,
    { type: 'timer' },
    { type: 'connecting', failures: 1, isRevoked: false },
    connect,
  ],
  ...[
    { failures: 2, openMs: 2 * OPEN_MS },
    { failures: 3, openMs: 3 * OPEN_MS },
    { failures: 40, openMs: 3 * OPEN_MS },
  ].map(({ failures, openMs }): Row => [
    `gives a slow gateway more time, after ${failures} failures`,
    { ...waiting, failures },
    { type: 'timer' },
    { ...connecting, failures },
    [{ type: 'connect' }, startTimer(openMs)],
  ]),
  [
    'waits longer after each failure',
    { ...connecting, failures: 3 },
    { type: 'socket_closed', code: 1006 },
    { ...waiting, failures: 4 },
    [backOff(1006, 4)],
  ],
  [
    'counts failures from the last registration',
    open,
    { type: 'socket_closed', code: CLOSE.service_stopping.code },
    waiting,
    [backOff(CLOSE.service_stopping.code)],
  ],
  [
    'retries when the server answers without an upgrade',
    connecting,
    { type: 'upgrade_refused', status: 503 },
    waiting,
    [backOff(1006)],
  ],
  [
    'is dismissed when its token is refused',
    connecting,
    { type: 'upgrade_refused', status: 401 },
    closed,
    dismiss(CLOSE.wrong_token.code),
  ],
  [
    'is dismissed when it is replaced',
    open,
    { type: 'socket_closed', code: CLOSE.replaced.code },
    closed,
    dismiss(CLOSE.replaced.code),
  ],
  [
    'retries slowly when its token is revoked',
    open,
    { type: 'socket_closed', code: REVOKED },
    revoked,
    retrySlowly,
  ],
  [
    'retries slowly while its token stays revoked',
    { ...connecting, failures: 1, isRevoked: true },
    { type: 'upgrade_refused', status: 401 },
    { ...revoked, failures: 2 },
    retrySlowly,
  ],
  [
    'remembers a revoked token across other failures',
    { ...connecting, failures: 1, isRevoked: true },
    { type: 'socket_closed', code: 1006 },
    { ...revoked, failures: 2 },
    [backOff(1006, 2)],
  ],
  ['closes while it waits', waiting, { type: 'closed' }, closed, [stopTimer]],
  ['closes while it is open', open, { type: 'closed' }, closed, [stopTimer]],
  ['stays closed', closed, { type: 'timer' }, closed, []],
];

describe('the state of a control link', () => {
  test.each(rows)('%s', (_title, state, event, expected, effects) => {
    expect(advanceLink(state, event, OPEN_MS)).toEqual({ state: expected, effects });
  });
});
