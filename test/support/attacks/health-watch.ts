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
import { readFileSync, writeFileSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import type { ControlProcess } from '../processes/control-process.ts';

export type WatchedControl = Pick<ControlProcess, 'url' | 'pid'>;

/** `status`: the error's message if there was no answer. */
export type HealthPoll = { status: number | string; waitMs: number; busyMs: number };

/** The worst of each. */
export type HealthFigures = {
  waitMs: number;
  busyMs: number;
  /** Resident memory of the process at its peak; NaN if the system does not report it. */
  peakMb: number;
  polls: number;
};

/** The longest that `/healthz` may wait while the service is attacked. */
export const GOAL_MS = 250;

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
    await morePolls(thread, IDLE_POLLS);
    const idle = take();
    resetPeak(control.pid);
    const result = await attack();
    // A poll that was sent during the attack.
    await morePolls(thread, 1);
    return { idle, attacked: take(), result };
  } finally {
    await thread.terminate();
  }
}

async function morePolls(thread: Worker, count: number): Promise<void> {
  for (let polls = 0; polls < count; polls += 1) await once(thread, 'message');
}

function figuresOf(polls: HealthPoll[], peakMb: number): HealthFigures {
  const unanswered = polls.find(({ status }) => status !== 200);
  if (unanswered) throw new Error(`/healthz was answered ${unanswered.status}`);
  return {
    waitMs: Math.max(...polls.map(({ waitMs }) => waitMs)),
    busyMs: Math.max(...polls.map(({ busyMs }) => busyMs)),
    peakMb,
    polls: polls.length,
  };
}

function peakMb(pid: number): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(/^VmHWM:\s+(\d+)/m.exec(status)?.[1]) / 1024;
  } catch {
    return Number.NaN;
  }
}

/** The peak is then that of the attack alone. */
function resetPeak(pid: number): void {
  try {
    writeFileSync(`/proc/${pid}/clear_refs`, '5');
  } catch {
    // Without it, the peak is that since the start.
  }
}
