import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Clock } from '#shared/clock.ts';
import type { GuardMessage } from './guard.ts';
import { ownGroup } from './process-group.ts';
import { Program, type ProgramSpec, type ProgramWatcher } from './program.ts';

const GUARD_RESTART_MS = 200;
const GUARD = fileURLToPath(new URL('guard.ts', import.meta.url));

/** Keeps a list of programs running under one guard. Closing stops the programs one after the other, the last started first. */
export class Programs {
  readonly #clock: Clock;
  readonly #watcher: ProgramWatcher;
  readonly #started: Program[] = [];
  readonly #leaders = new Set<number>();
  #guard: ChildProcess | null = null;
  #closing: Promise<void> | null = null;

  constructor(clock: Clock, watcher: ProgramWatcher) {
    this.#clock = clock;
    this.#watcher = watcher;
    this.#startGuard();
  }

  start(spec: ProgramSpec): Program {
    if (this.#closing) throw new Error(`${spec.name} is not started: the service is stopping`);
    const program = new Program(spec, this.#clock, {
      ...this.#watcher,
      up: (program, pid) => {
        this.#leaders.add(pid);
        this.#tell({ type: 'watch', leader: pid });
        this.#watcher.up(program, pid);
      },
      down: (program, pid, failures, how) => {
        this.#leaders.delete(pid);
        this.#tell({ type: 'forget', leader: pid });
        this.#watcher.down(program, pid, failures, how);
      },
    });
    this.#started.push(program);
    program.start();
    return program;
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    for (const program of this.#started.toReversed()) await program.stop();
    const guard = this.#guard;
    this.#guard = null;
    if (!guard || guard.exitCode !== null || guard.signalCode !== null) return;
    guard.removeAllListeners('exit');
    const gone = once(guard, 'exit');
    if (guard.connected) guard.disconnect();
    await gone;
  }

  #startGuard(): void {
    const guard = fork(GUARD, { stdio: 'ignore', detached: ownGroup });
    this.#guard = guard;
    for (const leader of this.#leaders) this.#tell({ type: 'watch', leader });
    guard.once('exit', () => {
      if (this.#guard === guard) this.#clock.after(GUARD_RESTART_MS, () => this.#restartGuard());
    });
  }

  #restartGuard(): void {
    if (!this.#closing) this.#startGuard();
  }

  #tell(message: GuardMessage): void {
    if (this.#guard?.connected) this.#guard.send(message);
  }
}
