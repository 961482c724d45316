import { spawn, type ChildProcess } from 'node:child_process';
import { backoffMs } from '#shared/backoff.ts';
import type { Clock } from '#shared/clock.ts';
import { endGroup, ownGroup } from './process-group.ts';

/*
 * A child process that is kept running.
 *
 * idle      not started, or stopped              -> running on start()
 * running   the process lives                    -> waiting when it exits; stopping on stop()
 * waiting   it exited; a restart timer runs      -> running when the timer fires; idle on stop()
 * stopping  asked to exit, killed after graceMs  -> idle when it has exited
 */
type State =
  | { type: 'idle' }
  | { type: 'running'; child: ChildProcess; since: number }
  | { type: 'waiting'; cancel: () => void }
  | { type: 'stopping'; child: ChildProcess };

export type Launch = {
  command: string;
  args: string[];
  env: Record<string, string | undefined>;
  /**
   * Node processes get an IPC channel: they exit when it closes, and may report that they are
   * ready.
   */
  ipc: boolean;
};

export type ProgramSpec = {
  name: string;
  /** Called before each start: a port may be known only after the first one. */
  launch(): Launch;
  stopSignal: NodeJS.Signals;
  graceMs: number;
};

export type ProgramWatcher = {
  up(program: Program, pid: number): void;
  /**
   * `failures` counts consecutive short runs. A steady program that dies once has 1; a planned exit
   * has 0.
   */
  down(program: Program, pid: number, failures: number, how: string): void;
  message(program: Program, message: unknown): void;
  output(program: Program, stream: 'stdout' | 'stderr', text: string): void;
};

/** A run of this length counts as steady: the next failure is the first one again. */
export const STEADY_MS = 30_000;
const LAST_WORDS_MS = 300;
const RESTART = { firstMs: 100, maxMs: 15_000 };

export class Program {
  readonly spec: ProgramSpec;
  readonly #clock: Clock;
  readonly #watcher: ProgramWatcher;
  #state: State = { type: 'idle' };
  #failures = 0;
  #gone: Promise<void> = Promise.resolve();

  constructor(spec: ProgramSpec, clock: Clock, watcher: ProgramWatcher) {
    this.spec = spec;
    this.#clock = clock;
    this.#watcher = watcher;
  }

  get name(): string {
    return this.spec.name;
  }

  start(): void {
    if (this.#state.type === 'idle') this.#launch();
  }

  /** Resolves when the process and its group are gone. */
  async stop(): Promise<void> {
    if (this.#state.type === 'waiting') {
      this.#state.cancel();
      this.#state = { type: 'idle' };
    }
    if (this.#state.type === 'running') {
      const { child } = this.#state;
      this.#state = { type: 'stopping', child };
      child.kill(this.spec.stopSignal);
      const cancel = this.#clock.after(this.spec.graceMs, () => endGroup(child.pid, 'SIGKILL'));
      await this.#gone;
      cancel();
    }
    await this.#gone;
  }

  #launch(): void {
    const { command, args, env, ipc } = this.spec.launch();
    const child = spawn(command, args, {
      env,
      stdio: ['ignore', 'pipe', 'pipe', ...(ipc ? (['ipc'] as const) : [])],
      detached: ownGroup,
    });
    this.#state = { type: 'running', child, since: this.#clock.elapsed() };
    for (const stream of ['stdout', 'stderr'] as const) {
      child[stream]
        ?.setEncoding('utf8')
        .on('data', (text: string) => this.#watcher.output(this, stream, text));
    }
    child.on('message', (message) => this.#watcher.message(this, message));
    this.#gone = new Promise((resolve) => {
      let isOver = false;
      const end = (how: string) => {
        if (isOver) return;
        isOver = true;
        this.#onEnd(child, how);
        resolve();
      };
      child.once('error', (error) => child.pid === undefined && end(error.message));
      child.once('exit', (code, signal) => {
        // Its children must not outlive it: the next start may need the same port.
        endGroup(child.pid, 'SIGKILL');
        const how = signal ?? `exit ${code}`;
        // Its last output may arrive after the exit. Do not wait for other processes that hold the
        // pipe open.
        const cancel = this.#clock.after(LAST_WORDS_MS, () => end(how));
        child.once('close', () => {
          cancel();
          end(how);
        });
      });
    });
    if (child.pid !== undefined) this.#watcher.up(this, child.pid);
  }

  #onEnd(child: ChildProcess, how: string): void {
    const previousState = this.#state;
    if (previousState.type === 'running') {
      const isSteady = this.#clock.elapsed() - previousState.since >= STEADY_MS;
      const isPlanned = isSteady && how === 'exit 0';
      this.#failures = isPlanned ? 0 : isSteady ? 1 : this.#failures + 1;
      const waitMs = backoffMs(this.#failures, RESTART);
      this.#state = { type: 'waiting', cancel: this.#clock.after(waitMs, () => this.#launch()) };
    } else {
      this.#state = { type: 'idle' };
    }
    const failures = previousState.type === 'running' ? this.#failures : 0;
    this.#watcher.down(this, child.pid ?? 0, failures, how);
  }
}
