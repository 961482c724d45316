import { describe, expect, test } from 'vitest';
import {
  advanceLifetime,
  type LifetimeEffect,
  type LifetimeEvent,
  type LifetimeState,
} from '../../../workers/runtime/lifetime-state.ts';

const drain: LifetimeEffect = { type: 'drain' };
const endSessions: LifetimeEffect = { type: 'end_sessions' };
const exit = (code: number): LifetimeEffect => ({ type: 'exit', code });

type Row = [string, LifetimeState, LifetimeEvent, LifetimeState, LifetimeEffect[]];

const rows: Row[] = [
  ['drains on SIGTERM', 'serving', 'terminated', 'draining', [drain]],
  ['ends its sessions on a second SIGTERM', 'draining', 'terminated', 'stopping', [endSessions]],
  ['ends its sessions on SIGINT', 'serving', 'interrupted', 'stopping', [endSessions]],
  [
    'ends its sessions on SIGINT during a drain',
    'draining',
    'interrupted',
    'stopping',
    [endSessions],
  ],
  ['ends its sessions once', 'stopping', 'interrupted', 'stopping', []],
  ['does not drain while it stops', 'stopping', 'terminated', 'stopping', []],
  ['exits when its sessions have ended', 'stopping', 'stopped', 'exiting', [exit(0)]],
  ['exits after a drain', 'draining', 'drained', 'exiting', [exit(0)]],
  [
    'exits after a drain that the control plane ordered',
    'serving',
    'drained',
    'exiting',
    [exit(0)],
  ],
  ['exits as soon as a stop leaves nothing to drain', 'stopping', 'drained', 'exiting', [exit(0)]],
  ['fails when the gateway dismisses it', 'serving', 'dismissed', 'exiting', [exit(1)]],
  ['fails after an uncaught error', 'serving', 'failed', 'exiting', [exit(1)]],
  ['fails after an uncaught error in a drain', 'draining', 'failed', 'exiting', [exit(1)]],
  ['exits once', 'exiting', 'stopped', 'exiting', []],
  ['ignores signals while it exits', 'exiting', 'terminated', 'exiting', []],
];

describe('the life of a worker process', () => {
  test.each(rows)('%s', (_title, state, event, expected, effects) => {
    expect(advanceLifetime(state, event)).toEqual({ state: expected, effects });
  });
});
