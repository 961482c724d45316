/*
 * The host of a virtual machine may give part of its CPU time to other guests, for minutes at a time. No program keeps time then, and a
 * limit of time proves nothing, whether met or missed. Everything else that a test judges holds on any machine.
 */
import type { TestContext } from 'vitest';
import { cpuTimes, type CpuTimes } from './cpu-times.ts';

declare module 'vitest' {
  interface TaskMeta {
    /** Why limits of time were not judged. `npm test` lists these tests at its end. */
    timeNotJudged?: string;
  }
}

type Read = () => Pick<CpuTimes, 'stolen' | 'all'> | null;

const SECOND_MS = 1_000;
/** Share of the machine's CPU time in any second. */
const MAX_STOLEN = 0.1;
/** In hundredths of a second. Of less, a single one is too large a share. */
const LEAST_ALL = 50;

/** Watches the host from here to `judgeTime`. One for each test that limits time. */
export class HostWatch {
  readonly #task: TestContext['task'];
  readonly #read: Read;
  readonly #timer = setInterval(() => this.#look(), SECOND_MS);
  #before: ReturnType<Read>;
  #worst = 0;

  constructor(
    { task, onTestFinished }: Pick<TestContext, 'task' | 'onTestFinished'>,
    read: Read = cpuTimes,
  ) {
    this.#task = task;
    this.#read = read;
    this.#before = read();
    onTestFinished(() => clearInterval(this.#timer));
  }

  /** Runs expectations that limit time, unless the host took too much of a second. Call it once, after all others. */
  judgeTime(expectations: () => void): void {
    clearInterval(this.#timer);
    this.#look();
    if (this.#worst <= MAX_STOLEN) return expectations();
    const percent = Math.round(100 * this.#worst);
    this.#task.meta.timeNotJudged = `the host took up to ${percent} % of the CPU`;
  }

  #look(): void {
    const now = this.#read();
    // Where the system does not report it, nothing counts as stolen.
    if (!now || !this.#before) return;
    const all = now.all - this.#before.all;
    if (all < LEAST_ALL) return;
    this.#worst = Math.max(this.#worst, (now.stolen - this.#before.stolen) / all);
    this.#before = now;
  }
}
