import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Build } from '#protocol/worker/gateway-messages.ts';
import { CLAIM_MS } from '../../../src/avatars/builds.ts';
import { Builds, type BuildOutcome } from '../../../workers/runtime/builds.ts';
import { ControlLink } from '../../../workers/runtime/control-link.ts';
import type { Perform } from '../../../workers/runtime/performance.ts';
import { Slots } from '../../../workers/runtime/slots.ts';
import {
  ACCOUNT,
  quietLog,
  startControlPlane,
  WORKER_TOKEN,
  type ControlPlane,
} from '../../support/fleet/control-plane.ts';
import { newAvatar } from '../../support/api/new-avatar.ts';
import { settle } from '../../support/test-clock.ts';
import { ScriptedPerformance } from '../../support/fleet/scripted-performance.ts';
import { until } from '../../support/until.ts';

type Job = PromiseWithResolvers<BuildOutcome> & { order: Build; signal: AbortSignal };

let plane: ControlPlane;
let link: ControlLink;
let slots: Slots;
let jobs: Job[];

const perform: Perform = (assign, tell) => new ScriptedPerformance(assign, tell);

beforeEach(async () => {
  plane = await startControlPlane();
  plane.builds.start();
  jobs = [];
  const { clock } = plane;
  link = new ControlLink({
    url: plane.url,
    token: WORKER_TOKEN,
    facts: {
      workerId: 'worker-a',
      kind: 'avatar',
      slots: 1,
      transports: ['mediaserver'],
      avatars: ['mira'],
      abilities: ['bundles', 'builds'],
      version: '1',
    },
    clock,
    log: quietLog,
    random: () => 1,
  });
  const builds = new Builds({
    link,
    build(order, { signal }) {
      const job = { ...Promise.withResolvers<BuildOutcome>(), order, signal };
      signal.addEventListener('abort', () => job.reject(signal.reason));
      jobs.push(job);
      return job.promise;
    },
    clock,
    log: quietLog,
  });
  slots = new Slots({ link, perform, builds, clock, log: quietLog, drain: { limitMs: 60_000 } });
  slots.open();
  await until(async () => (await plane.fleet.counts()).workers === 1);
});
afterEach(async () => {
  await slots.close();
  await link.close();
  await plane.close();
});

async function ask(): Promise<string> {
  const now = plane.clock.now();
  const pictureHash = await plane.blobs.put(Buffer.from('picture'), now);
  const avatar = newAvatar({ accountId: ACCOUNT.id, pictureHash, createdAt: now });
  await plane.avatars.insert(avatar);
  plane.builds.wake();
  await until(() => jobs.length > 0);
  return avatar.id;
}

const put = (text: string) => plane.blobs.put(Buffer.from(text), plane.clock.now());

async function finish(job: Job): Promise<void> {
  job.resolve({ bundle: await put('bundle'), portrait: await put('portrait') });
}

const statusOf = async (id: string) => (await plane.avatars.get(id))?.status;

describe('a worker that builds avatars for the real gateway', () => {
  test('receives an order, and its result is recorded', async () => {
    const id = await ask();

    await finish(jobs[0]!);

    await until(async () => (await statusOf(id)) === 'ready');
  });

  test('keeps its claim while it works', async () => {
    const id = await ask();

    for (let words = 0; words < 10; words++) {
      plane.clock.advance(4_000);
      const claimed = plane.clock.now() + CLAIM_MS;
      await until(async () => (await plane.avatars.get(id))?.claimedUntil === claimed);
    }

    expect(jobs).toHaveLength(1);
    await finish(jobs[0]!);
    await until(async () => (await statusOf(id)) === 'ready');
  });

  test('continues after its connection broke', async () => {
    const id = await ask();
    plane.cutConnections();
    await until(() => !link.isOpen);
    await finish(jobs[0]!);
    await settle();
    plane.clock.advance(200);
    await until(() => link.isOpen);

    await until(async () => (await statusOf(id)) === 'ready');
    expect(jobs).toHaveLength(1);
  });

  test('finishes its build before the drain ends', async () => {
    const id = await ask();
    let isDrained = false;
    void slots.drained.then(() => (isDrained = true));

    slots.drain();
    await settle();
    expect(isDrained).toBe(false);
    await finish(jobs[0]!);

    await slots.drained;
    expect(await statusOf(id)).toBe('ready');
  });

  test('aborts its build when it is stopped', async () => {
    const id = await ask();

    await slots.endAll('service_stopped', 1_000);

    expect(jobs[0]!.signal.aborted).toBe(true);
    expect(await statusOf(id)).toBe('building');
  });
});
