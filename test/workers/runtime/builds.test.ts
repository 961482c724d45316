import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Build } from '#protocol/worker/gateway-messages.ts';
import type { WorkerMessage } from '#protocol/worker/worker-messages.ts';
import { Builds, type BuildOutcome } from '../../../workers/runtime/builds.ts';
import { quietLog } from '../../support/fleet/control-plane.ts';
import { settle, TestClock } from '../../support/test-clock.ts';

type Job = PromiseWithResolvers<BuildOutcome> & {
  order: Build;
  signal: AbortSignal;
  onProgress: (percent: number) => void;
};

const MADE = { bundle: 'b'.repeat(64), portrait: 'c'.repeat(64) };

let clock: TestClock;
let messages: WorkerMessage[];
let jobs: Job[];
let builds: Builds;

beforeEach(() => {
  clock = new TestClock();
  messages = [];
  jobs = [];
  builds = new Builds({
    link: { send: (message) => messages.push(message) > 0 },
    build(order, { signal, onProgress }) {
      const job = { ...Promise.withResolvers<BuildOutcome>(), order, signal, onProgress };
      signal.addEventListener('abort', () => job.reject(signal.reason));
      jobs.push(job);
      return job.promise;
    },
    clock,
    log: quietLog,
    progressEveryMs: 4_000,
    resendMs: 5_000,
  });
});
afterEach(async () => {
  await builds.close();
  expect(clock.waiting, 'timers left').toBe(0);
});

const order = (avatarId = 'ada', epoch = 1): Build => ({
  type: 'build',
  placement: { avatarId, epoch },
  name: 'Ada',
  picture: 'a'.repeat(64),
  background: 'blur',
});
const messagesOf = (type: WorkerMessage['type']) =>
  messages.filter((message) => message.type === type);

describe('Builds', () => {
  test('reports the result until it is acknowledged', async () => {
    builds.begin(order());
    jobs[0]!.resolve(MADE);
    await settle();
    expect(messagesOf('built')).toMatchObject([{ placement: order().placement, ...MADE }]);
    expect(builds.placements).toEqual([order().placement]);

    clock.advance(5_000);
    const [firstReport, repeatedReport] = messagesOf('built') as { id: string }[];
    expect(repeatedReport?.id).toBe(firstReport?.id);
    builds.acknowledge(firstReport!.id);

    expect(builds.placements).toEqual([]);
  });

  test('reports why a picture is unsuitable', async () => {
    builds.begin(order());
    jobs[0]!.resolve({ reason: 'no_face' });
    await settle();

    expect(messagesOf('build_failed')).toMatchObject([{ reason: 'no_face' }]);
  });

  test('returns a build that failed for another reason, as begun', async () => {
    builds.begin(order());
    jobs[0]!.reject(new Error('the disk is full'));
    await settle();

    expect(messagesOf('build_refused')).toMatchObject([{ wasBegun: true }]);
    expect(builds.placements).toEqual([]);
  });

  test('sends progress when it rises, and every few seconds', () => {
    builds.begin(order());
    jobs[0]!.onProgress(30);
    jobs[0]!.onProgress(30);
    jobs[0]!.onProgress(20);
    clock.advance(8_000);

    const progress = messagesOf('build_progress').map(
      (message) => 'progress' in message && message.progress,
    );
    expect(progress).toEqual([0, 30, 30, 30]);
  });

  test('runs one build at a time', () => {
    builds.begin(order('ada'));
    builds.begin(order('bob'));

    expect(jobs).toHaveLength(1);
    expect(messagesOf('build_refused')).toMatchObject([
      { placement: { avatarId: 'bob', epoch: 1 }, wasBegun: false },
    ]);
  });

  test('starts a build once, even if ordered repeatedly', () => {
    builds.begin(order());
    builds.begin(order());

    expect(jobs).toHaveLength(1);
    expect(messagesOf('build_refused')).toEqual([]);
  });

  test('replaces a build by a newer epoch of the same avatar', () => {
    builds.begin(order('ada', 1));
    builds.begin(order('ada', 2));

    expect(jobs[0]!.signal.aborted).toBe(true);
    expect(builds.placements).toEqual([{ avatarId: 'ada', epoch: 2 }]);
  });

  test('stops a dropped build and reports nothing about it', async () => {
    builds.begin(order());

    builds.drop({ avatarId: 'ada', epoch: 2 });
    expect(jobs[0]!.signal.aborted).toBe(false);
    builds.drop(order().placement);
    await settle();

    expect(jobs[0]!.signal.aborted).toBe(true);
    expect(messagesOf('build_refused')).toEqual([]);
    expect(builds.placements).toEqual([]);
    expect(clock.waiting).toBe(0);
  });

  test('sends results and progress again on a new connection', async () => {
    builds.begin(order());
    jobs[0]!.resolve(MADE);
    await settle();
    messages = [];

    builds.opened();

    expect(messagesOf('built')).toHaveLength(1);
  });

  test('finishes the running build while draining, and starts none', async () => {
    builds.begin(order('ada'));
    builds.drain();
    builds.begin(order('bob'));
    const finished = builds.finished(60_000);

    jobs[0]!.resolve(MADE);
    await settle();
    builds.acknowledge((messagesOf('built')[0] as { id: string }).id);

    expect(await finished).toBe(true);
    expect(messagesOf('build_refused')).toHaveLength(1);
  });

  test('aborts the running build when the worker closes', async () => {
    builds.begin(order());

    await builds.close();

    expect(jobs[0]!.signal.aborted).toBe(true);
    expect(messagesOf('build_failed')).toEqual([]);
  });
});
