import { once } from 'node:events';
import { readdir, readlink } from 'node:fs/promises';
import { connect } from 'node:net';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Footprint } from './footprint.ts';
import { socketOf, type Measured, type Order } from './orders.ts';

/** Environment of a process that takes orders. */
export const probedEnv = (folder: string): Record<string, string> => ({
  NODE_OPTIONS: `--import=${fileURLToPath(new URL('./process-probe.ts', import.meta.url))}`,
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
    return { ...measured, files: await openFiles(this.#pid) };
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

async function openFiles(pid: number): Promise<Footprint['files']> {
  const folder = `/proc/${pid}/fd`;
  const links = await Promise.all(
    // Some are closed meanwhile.
    (await readdir(folder)).map((file) => readlink(path.join(folder, file)).catch(() => null)),
  );
  const files: Footprint['files'] = {};
  for (const link of links) {
    if (link === null) continue;
    // `socket:[123]`; a path has no kind.
    const [, kind = 'file'] = /^(\w+):/.exec(link) ?? [];
    files[kind] = (files[kind] ?? 0) + 1;
  }
  return files;
}
