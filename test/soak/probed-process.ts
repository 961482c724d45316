import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Footprint } from './footprint.ts';
import { socketOf, type Measured, type Order } from './orders.ts';

/** Environment of a process that takes orders. */
export const probedEnv = (folder: string): Record<string, string> => ({
  NODE_OPTIONS: `--import=${fileURLToPath(new URL('inside.ts', import.meta.url))}`,
  SOAK_FOLDER: folder,
});

/** Gives orders to a process that was started with `probedEnv`. */
export class ProbedProcess {
  readonly name: string;
  readonly #folder: string;
  readonly #pid: number;

  constructor(name: string, folder: string, pid: number) {
    this.name = name;
    this.#folder = folder;
    this.#pid = pid;
  }

  async jumpClock(offsetMs: number): Promise<void> {
    await this.#order({ type: 'clock', offsetMs });
  }

  async breakNames(areBroken: boolean): Promise<void> {
    await this.#order({ type: 'names', areBroken });
  }

  async footprint(): Promise<Footprint> {
    const measured = (await this.#order({ type: 'measure' })) as Measured;
    const files = (await readdir(`/proc/${this.#pid}/fd`)).length;
    return { ...measured, files };
  }

  async #order(order: Order): Promise<unknown> {
    const socket = connect(socketOf(this.#folder, this.#pid));
    try {
      await once(socket, 'connect');
      socket.write(`${JSON.stringify(order)}\n`);
      const [line] = (await once(createInterface(socket), 'line')) as [string];
      return JSON.parse(line);
    } finally {
      socket.destroy();
    }
  }
}
