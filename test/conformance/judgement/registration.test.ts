import { describe, expect, test } from 'vitest';
import type { WorkerMessage } from '#protocol/worker/worker-messages.ts';
import type { Connection, Heard } from '../tap.ts';
import { judgeAnswers, judgeMessages, judgeRefused } from './registration.ts';

const placement = { sessionId: 'session-1', epoch: 1 };

const register = (protocol = 1): WorkerMessage => ({
  type: 'register',
  protocol,
  workerId: 'worker-1',
  kind: 'avatar',
  slots: 2,
  transports: ['mediaserver'],
  avatars: ['mira'],
  version: '1',
  performing: [],
});

const messageOf = (message: WorkerMessage | null, atMs = 0, connection = 0): Heard => ({
  atMs,
  connection,
  from: 'worker',
  message,
});

const ASSIGNED: Heard = {
  atMs: 1_000,
  connection: 0,
  from: 'gateway',
  message: {
    type: 'assign',
    placement,
    transport: 'mediaserver',
    room: { url: 'ws://room', token: 'token' },
    avatarId: 'mira',
    video: { width: 512, height: 512, fps: 25 },
  },
};

describe('messages of a worker', () => {
  test('conform if every connection begins with register', () => {
    const load: WorkerMessage = { type: 'load', performing: 0, lateFrames: 0, draining: false };

    const messages = [
      messageOf(register()),
      messageOf(load),
      messageOf(register(), 5, 1),
      messageOf(load, 6, 1),
    ];

    expect(judgeMessages(messages)).toEqual([]);
    expect(judgeMessages([messageOf(load), messageOf(register())])).toHaveLength(1);
    expect(judgeMessages([...messages, messageOf({ type: 'pong' }, 7, 2)])).toHaveLength(1);
  });

  test('do not conform to another version, or to no schema', () => {
    expect(judgeMessages([messageOf(register(99))])).toHaveLength(1);
    expect(judgeMessages([messageOf(register()), messageOf(null)])).toHaveLength(1);
  });
});

describe('answers to assignments', () => {
  test('conform within two seconds', () => {
    const accepted: WorkerMessage = { type: 'accepted', placement };

    expect(judgeAnswers([ASSIGNED, messageOf(accepted, 2_900)])).toEqual([]);
    expect(judgeAnswers([ASSIGNED, messageOf(accepted, 3_100)])).toHaveLength(1);
    expect(judgeAnswers([ASSIGNED])).toHaveLength(1);
  });

  test('do not conform if they refuse, or are for another placement', () => {
    const otherPlacement = { sessionId: 'session-1', epoch: 2 };

    const refused = messageOf({ type: 'refused', placement, why: 'full' }, 1_100);
    expect(judgeAnswers([ASSIGNED, refused])).toEqual(['refused: full']);
    expect(
      judgeAnswers([ASSIGNED, messageOf({ type: 'accepted', placement: otherPlacement }, 1_100)]),
    ).toEqual(['the assignment of epoch 1 is not answered']);
  });
});

const at = (...times: number[]): Connection[] =>
  times.map((atMs) => ({ atMs, closedMs: atMs, closeCode: 4004, status: null }));

describe('a worker that is refused for its version', () => {
  test('conforms if it stops, or if its pauses grow', () => {
    expect(judgeRefused(at(0, 1, 2, 3, 4, 5, 6, 7, 8, 9), true)).toEqual([]);
    expect(judgeRefused(at(0, 100, 400, 1_200), false)).toEqual([]);
  });

  test('does not conform if it hammers', () => {
    expect(judgeRefused(at(0, 100, 200, 300), false)).toHaveLength(1);
    expect(judgeRefused(at(0, 1, 3, 7, 15, 31, 63, 127, 255), false)).toHaveLength(1);
  });
});
