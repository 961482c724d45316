import type { Clock } from '#shared/clock.ts';
import type { Guard } from './guard.ts';
import { Program, type ProgramSpec, type ProgramWatcher } from './program.ts';

/**
 * Keeps a list of programs running and registers them with the guard. `close` stops them one by
 * one, last started first.
 */
export class Programs {
  readonly #guard: Guard;
  readonly #clock: Clock;
  readonly #watcher: ProgramWatcher;
  readonly #started: Program[] = [];
  #closing: Promise<void> | null = null;

  constructor(guard: Guard, clock: Clock, watcher: ProgramWatcher) {
    this.#guard = guard;
    this.#clock = clock;
    this.#watcher = watcher;
  }

  start(spec: ProgramSpec): Program {
    if (this.#closing) throw new Error(`${spec.name} not started: the service is stopping`);
    const program = new Program(spec, this.#clock, {
      ...this.#watcher,
      up: (program, pid) => {
        this.#guard.watch(pid);
        this.#watcher.up(program, pid);
      },
      down: (program, pid, failures, how) => {
        this.#guard.forget(pid);
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
  }
}
