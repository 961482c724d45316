import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Clock } from '#shared/clock.ts';
import { ownGroup } from './process-group.ts';

export type GuardMessage = { type: 'watch' | 'forget'; leader: number };

const MAIN = fileURLToPath(new URL('guard-main.ts', import.meta.url));
const RESTART_MS = 200;

/** Ends the watched process groups if this process dies without doing so. Close it last. */
export class Guard {
  readonly #clock: Clock;
  readonly #leaders = new Set<number>();
  #process: ChildProcess | null = null;
  #closing: Promise<void> | null = null;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#start();
  }

  watch(leader: number | undefined): void {
    if (leader === undefined) return;
    this.#leaders.add(leader);
    this.#tell({ type: 'watch', leader });
  }

  forget(leader: number | undefined): void {
    if (leader === undefined) return;
    this.#leaders.delete(leader);
    this.#tell({ type: 'forget', leader });
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    const guard = this.#process;
    this.#process = null;
    if (!guard || guard.exitCode !== null || guard.signalCode !== null) return;
    const exitEvent = once(guard, 'exit');
    if (guard.connected) guard.disconnect();
    await exitEvent;
  }

  #start(): void {
    if (this.#closing) return;
    const guard = fork(MAIN, { stdio: 'ignore', detached: ownGroup, env: {} });
    this.#process = guard;
    for (const leader of this.#leaders) this.#tell({ type: 'watch', leader });
    guard.once('exit', () => {
      if (this.#process === guard) this.#clock.after(RESTART_MS, () => this.#start());
    });
  }

  #tell(message: GuardMessage): void {
    if (this.#process?.connected) this.#process.send(message);
  }
}
