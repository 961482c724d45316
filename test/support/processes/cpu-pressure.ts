import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import os from 'node:os';

const { PRIORITY_LOW, PRIORITY_HIGHEST } = os.constants.priority;
/** Ends with its parent, also when that is killed: nothing else stops a loop of high priority. */
const BUSY = 'for (const parent = process.ppid; process.ppid === parent; );';

type Place = { cores: string; priority: number };

/**
 * Takes CPU time from one process, and from no other: its threads share one core with a busy loop
 * of higher priority, and each of them gets its small part of that core whenever it is due. A
 * quota, in contrast, stops all threads of a process for tens of milliseconds, however little they
 * need. Real-time threads are not affected: they come before the loop.
 *
 * The process must belong to the session of this one, because Linux compares priorities within a
 * session only (autogroup). Needs root, and `taskset`.
 */
export class CpuPressure {
  readonly #pid: number;
  readonly #original: Place;
  readonly #loop: ChildProcess;
  readonly #exit: Promise<unknown>;
  #priority: number;

  /** `priority`: of the loop. */
  constructor(pid: number, priority: number) {
    this.#pid = pid;
    this.#original = { cores: coresOf(pid), priority: os.getPriority(pid) };
    this.#priority = priority;
    const core = this.#original.cores.split(/[,-]/).at(-1)!;
    setPriorityOfThreads(pid, PRIORITY_LOW);
    pin(pid, core);
    // Through `taskset`, so that it never runs elsewhere.
    const line = ['--cpu-list', core, process.execPath, '--eval', BUSY];
    this.#loop = spawn('taskset', line, { stdio: 'ignore' });
    this.#exit = once(this.#loop, 'exit');
    os.setPriority(this.loop, priority);
  }

  /** The process id of the loop. */
  get loop(): number {
    return this.#loop.pid!;
  }

  /** Priority of the loop. */
  get priority(): number {
    return this.#priority;
  }

  /** Leaves the process four fifths of what it got. False when it gets the least already. */
  increase(): boolean {
    if (this.#priority === PRIORITY_HIGHEST) return false;
    this.#priority -= 1;
    setPriorityOfThreads(this.loop, this.#priority);
    return true;
  }

  /** Ends the loop; the process has the priority and the cores that it had. Call it once. */
  async end(): Promise<void> {
    this.#loop.kill('SIGKILL');
    await this.#exit;
    setPriorityOfThreads(this.#pid, this.#original.priority);
    pin(this.#pid, this.#original.cores);
  }
}

/** Such as `0-3,8`. */
const coresOf = (pid: number): string =>
  /^Cpus_allowed_list:\s*(\S+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]!;

function pin(pid: number, cores: string): void {
  execFileSync('taskset', ['--all-tasks', '--pid', '--cpu-list', cores, String(pid)], {
    stdio: 'ignore',
  });
}

/** Linux keeps a priority for each thread; new threads inherit it. */
function setPriorityOfThreads(pid: number, priority: number): void {
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    try {
      os.setPriority(Number(thread), priority);
    } catch (error) {
      // The thread has ended meanwhile.
      if ((error as NodeJS.ErrnoException & { info?: { code?: string } }).info?.code !== 'ESRCH')
        throw error;
    }
  }
}
