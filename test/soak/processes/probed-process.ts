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

/** Collecting garbage takes a moment on a busy machine. */
const FOLLOWED_MS = 30_000;

/** Gives orders to a process that was started with `probedEnv`. They fail when it is gone. */
export class ProbedProcess {
  readonly name: string;
  readonly pid: number;
  readonly #folder: string;

  constructor(name: string, folder: string, pid: number) {
    this.name = name;
    this.#folder = folder;
    this.pid = pid;
  }

  async jumpClock(offsetMs: number): Promise<void> {
    await this.#order({ type: 'clock', offsetMs });
  }

  async breakNames(areBroken: boolean): Promise<void> {
    await this.#order({ type: 'names', areBroken });
  }

  async footprint(): Promise<Footprint> {
    const measured = (await this.#order({ type: 'measure' })) as Measured;
    return { ...measured, files: await openFiles(this.pid) };
  }

  async #order(order: Order): Promise<unknown> {
    const socket = connect(socketOf(this.#folder, this.pid));
    // It may fail while nobody waits for its events.
    socket.on('error', () => {});
    const signal = AbortSignal.timeout(FOLLOWED_MS);
    try {
      await once(socket, 'connect', { signal });
      const lines = createInterface(socket);
      const end = once(lines, 'close').then(() => Promise.reject(new Error('its socket closed')));
      socket.write(`${JSON.stringify(order)}\n`);
      const [line] = (await Promise.race([once(lines, 'line', { signal }), end])) as [string];
      return JSON.parse(line);
    } catch (cause) {
      throw new Error(`${this.name} does not follow: ${order.type}`, { cause });
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
