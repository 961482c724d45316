import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createLog } from '#shared/log.ts';
import { runCostRounds } from '../../../src/start/deletion-cost/cost-rounds.ts';
import type { CostChange, PodCost } from '../../../src/start/deletion-cost/deletion-costs.ts';
import type { Pods } from '../../../src/start/deletion-cost/kubernetes-pods.ts';
import { TestClock } from '../../support/test-clock.ts';

const EVERY_MS = 10_000;
const ANSWER_MS = 5_000;

let clock: TestClock;
let stop: AbortController;
let lines: string[];
let written: CostChange[];
/** The number of sessions that the next rounds see. */
let sessions: number;
let list: (signal: AbortSignal) => Promise<PodCost[]>;
let rounds: Promise<void>;

const pods: Pods = {
  list: (signal) => list(signal),
  setCost: async (change) => void written.push(change),
};

beforeEach(async () => {
  clock = new TestClock();
  stop = new AbortController();
  lines = [];
  written = [];
  sessions = 1;
  list = async () => [{ pod: 'a', cost: written.at(-1)?.cost ?? null }];
  const log = createLog({ name: 'test' }, { write: (line) => void lines.push(line) });
  const loads = async () => [{ host: 'a', taken: sessions }];
  rounds = runCostRounds({ pods, loads, clock, log }, stop.signal);
  await clock.pass(0);
});
afterEach(async () => {
  stop.abort();
  await rounds;
  expect(clock.waiting).toBe(0);
});

describe('rounds of deletion costs', () => {
  test('write only what has changed', async () => {
    await clock.pass(EVERY_MS);
    expect(written).toEqual([{ pod: 'a', cost: 1 }]);

    sessions = 2;
    await clock.pass(EVERY_MS);

    expect(written.slice(1)).toEqual([{ pod: 'a', cost: 2 }]);
  });

  test('go on after a server that failed', async () => {
    const works = list;
    list = async () => {
      throw new Error('Kubernetes answered 500');
    };
    sessions = 2;
    await clock.pass(EVERY_MS);
    expect(lines.at(-1)).toContain('Kubernetes answered 500');

    list = works;
    await clock.pass(EVERY_MS);

    expect(written.at(-1)).toEqual({ pod: 'a', cost: 2 });
  });

  test('go on after a server that never answered', async () => {
    const works = list;
    const never = Promise.withResolvers<PodCost[]>();
    list = (signal) => {
      signal.addEventListener('abort', () => never.reject(signal.reason));
      return never.promise;
    };
    sessions = 2;
    await clock.pass(EVERY_MS + ANSWER_MS);
    expect(lines.at(-1)).toContain('no answer in time');

    list = works;
    await clock.pass(EVERY_MS);

    expect(written.at(-1)).toEqual({ pod: 'a', cost: 2 });
  });

  test('end during a request', async () => {
    const listCall = Promise.withResolvers<AbortSignal>();
    list = (signal) => {
      listCall.resolve(signal);
      return new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason));
      });
    };
    await clock.pass(EVERY_MS);
    await listCall.promise;

    stop.abort();

    await rounds;
    expect(lines.filter((line) => line.includes('not set'))).toEqual([]);
  });
});
