/*
 * The host of a virtual machine may give part of its CPU time to other guests, for minutes at a time. No program keeps time then, and a
 * limit of time proves nothing, whether met or missed. Everything else that a test judges holds on any machine.
 */
import { existsSync, readFileSync } from 'node:fs';
import type { TestContext } from 'vitest';

declare module 'vitest' {
  interface TaskMeta {
    /** Why limits of time were not judged. `npm test` lists these tests at its end. */
    timeNotJudged?: string;
  }
}

/** CPU time since the start of the system, in any unit. */
export type CpuTime = { stolen: number; all: number };

const SECOND_MS = 1_000;
/** Share of the machine's CPU time in any second. */
const MAX_STOLEN = 0.1;
/** The system counts in hundredths of a second: of less, one is too large a share. */
const LEAST_ALL = 50;

/** Watches the host from here to `judgeTime`. One for each test that limits time. */
export class HostWatch {
  readonly #task: TestContext['task'];
  readonly #read: () => CpuTime;
  readonly #timer = setInterval(() => this.#look(), SECOND_MS);
  #before: CpuTime;
  #worst = 0;

  constructor(
    { task, onTestFinished }: Pick<TestContext, 'task' | 'onTestFinished'>,
    read = cpuTime,
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
    const why = `the host took up to ${Math.round(100 * this.#worst)} % of the CPU`;
    this.#task.meta.timeNotJudged = why;
    process.stdout.write(`${this.#task.name}: time is not judged: ${why}\n`);
  }

  #look(): void {
    const now = this.#read();
    const all = now.all - this.#before.all;
    if (all < LEAST_ALL) return;
    this.#worst = Math.max(this.#worst, (now.stolen - this.#before.stolen) / all);
    this.#before = now;
  }
}

/** Where the system does not report it, nothing counts as stolen. */
function cpuTime(): CpuTime {
  if (!existsSync('/proc/stat')) return { stolen: 0, all: 0 };
  // user, nice, system, idle, iowait, irq, softirq, steal. The next ones are part of the first two.
  const line = /^cpu +(.*)$/m.exec(readFileSync('/proc/stat', 'utf8'))![1]!;
  const times = line.split(' ').slice(0, 8).map(Number);
  return { stolen: times[7] ?? 0, all: times.reduce((sum, time) => sum + time, 0) };
}
