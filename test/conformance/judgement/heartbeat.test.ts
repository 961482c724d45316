import { describe, expect, test } from 'vitest';
import type { GatewayMessage } from '#protocol/worker/gateway-messages.ts';
import type { WorkerMessage } from '#protocol/worker/worker-messages.ts';
import type { Heard } from '../tap.ts';
import { judgeHeartbeat } from './heartbeat.ts';

const END_MS = 20_000;

const worker = (atMs: number, message: WorkerMessage): Heard => ({
  atMs,
  connection: 0,
  from: 'worker',
  message,
});
const gateway = (atMs: number, message: GatewayMessage): Heard => ({
  atMs,
  connection: 0,
  from: 'gateway',
  message,
});

const beat = (atMs: number, performing = 1) => worker(atMs, { type: 'beat', performing });
const every = (ms: number, make: (atMs: number) => Heard, fromMs = 0, toMs = END_MS): Heard[] =>
  Array.from({ length: Math.floor((toMs - fromMs) / ms) + 1 }, (_, i) => make(fromMs + i * ms));

const registered = gateway(0, { type: 'registered', pingEveryMs: 3_000, beatEveryMs: 500 });
const pings = every(3_000, (atMs) => gateway(atMs, { type: 'ping' }), 3_000);
const pongs = every(3_000, (atMs) => worker(atMs + 20, { type: 'pong' }), 3_000);
const loads = every(5_000, (atMs) =>
  worker(atMs, { type: 'load', performing: 0, lateFrames: 0, draining: false }),
);
const accepted = worker(4_000, {
  type: 'accepted',
  placement: { sessionId: 'session-1', epoch: 1 },
});
const beats = every(500, (atMs) => beat(atMs), 4_010, 9_500);

const judge = (...parts: Heard[][]) =>
  judgeHeartbeat(
    [registered, ...parts.flat()].sort((a, b) => a.atMs - b.atMs),
    END_MS,
  );

describe('a heartbeat', () => {
  test('conforms with pongs, beats while a session runs, and load', () => {
    expect(judge(pings, pongs, loads, [accepted], beats, [beat(10_000, 0)])).toEqual([]);
    expect(judge(pings, pongs, loads)).toEqual([]);
  });

  test('does not conform without a pong', () => {
    expect(judge(pings, pongs.slice(0, -2), loads)).toEqual(['1 pings without a pong in time']);
  });

  test.each<[string, Heard[]]>([
    ['there is none', []],
    ['they stop without a last one', beats],
    ['they pause', [...beats.slice(0, 3), ...beats.slice(8), beat(10_000, 0)]],
    ['they begin late', [...beats.slice(6), beat(10_000, 0)]],
  ])('does not conform if beats are wrong: %s', (_, wrong) => {
    expect(judge(pings, pongs, loads, [accepted], wrong)).toEqual([
      expect.stringMatching(/^no beat for \d+ ms$/),
    ]);
  });

  test('does not conform without load for a long time', () => {
    expect(judge(pings, pongs, loads.slice(0, 2))).toEqual(['no load for 15 s']);
  });
});
