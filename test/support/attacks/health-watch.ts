/*
 * Measures how long the event loop of a control plane stands still, from a thread of its own: the
 * test may be busy with the attack.
 *
 *     const { idle, attacked } = await healthDuring(control, () => attack());
 *     expect(attacked.busyMs).toBeLessThan(limitMs(idle));
 *
 * `busyMs` is the processor time that the main thread spends before it answers. It does not grow
 * when other processes take the processor, so tests judge it; benches print `waitMs`.
 */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { ControlProcess } from '../processes/control-process.ts';
import { peakMb, resetPeak } from './process-memory.ts';

export type WatchedControl = Pick<ControlProcess, 'url' | 'pid'>;

/** `status`: the error's message if there was no answer. `sentAt`: the time of day. */
export type HealthPoll = {
  status: number | string;
  sentAt: number;
  waitMs: number;
  busyMs: number;
  withChildrenMb: number;
};

/** The worst of each. Memory is resident, and 0 if the system does not report it. */
export type HealthFigures = {
  waitMs: number;
  busyMs: number;
  /** Memory of the process without its children. */
  peakMb: number;
  withChildrenMb: number;
  polls: number;
};

/** The longest that `/healthz` may wait while the service is attacked. */
export const GOAL_MS = 250;

/** Far below the chart's limit for a control plane and its children. */
export const MEMORY_LIMIT_MB = 1_024;

/** Times the idle figure, for machines on which even that is long. */
const MOST_TIMES_IDLE = 20;

const IDLE_POLLS = 50;

/** The most processor time before an answer that a test accepts. */
export const limitMs = (idle: HealthFigures): number =>
  Math.max(GOAL_MS, MOST_TIMES_IDLE * idle.busyMs);

/** Figures of the idle control plane, and of the attack. Throws if a poll is not answered 200. */
export async function healthDuring<Result>(
  control: WatchedControl,
  attack: () => Promise<Result>,
): Promise<{ idle: HealthFigures; attacked: HealthFigures; result: Result }> {
  const workerData = { url: control.url, pid: control.pid } satisfies WatchedControl;
  const thread = new Worker(new URL('./health-thread.ts', import.meta.url), { workerData });
  let polls: HealthPoll[] = [];
  thread.on('message', (poll: HealthPoll) => polls.push(poll));
  const take = () => figuresOf(polls.splice(0), peakMb(control.pid));
  try {
    // Else the idle peak is that of an earlier attack.
    resetPeak(control.pid);
    for (let count = 0; count < IDLE_POLLS; count += 1) await nextPoll(thread);
    const idle = take();
    resetPeak(control.pid);
    const result = await attack();
    const endedAt = performance.timeOrigin + performance.now();
    // Messages of earlier polls may wait behind the attack; the next one comes after all of them.
    while ((await nextPoll(thread)).sentAt < endedAt);
    return { idle, attacked: take(), result };
  } finally {
    await thread.terminate();
  }
}

async function nextPoll(thread: Worker): Promise<HealthPoll> {
  const [poll] = (await once(thread, 'message')) as [HealthPoll];
  return poll;
}

function figuresOf(polls: HealthPoll[], peakMb: number): HealthFigures {
  const unanswered = polls.find(({ status }) => status !== 200);
  if (unanswered) throw new Error(`/healthz was answered ${unanswered.status}`);
  const worst = (field: 'waitMs' | 'busyMs' | 'withChildrenMb') =>
    Math.max(...polls.map((poll) => poll[field]));
  return {
    waitMs: worst('waitMs'),
    busyMs: worst('busyMs'),
    peakMb,
    withChildrenMb: worst('withChildrenMb'),
    polls: polls.length,
  };
}
