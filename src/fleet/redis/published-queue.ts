import { WORKER_KINDS, type WorkerKind } from '#protocol/worker-messages.ts';
import type { Depth } from '../queue.ts';

export type Line = { kind: WorkerKind; pool: string };

export type PublishedQueueParts = {
  /** How many wait here for a worker of this kind, by pool. */
  depths: (kind: WorkerKind) => Map<string, Depth>;
  tell: (line: Line, depth: Depth) => Promise<void>;
};

const NOBODY: Depth = { waiting: 0, oldestWaitMs: 0 };

/** Who waits at this control plane, as the others know it: they are told when it is not so any more. */
export class PublishedQueue {
  readonly #parts: PublishedQueueParts;
  readonly #told: Record<WorkerKind, Map<string, number>> = { avatar: new Map(), agent: new Map() };

  constructor(parts: PublishedQueueParts) {
    this.#parts = parts;
  }

  async say(): Promise<void> {
    for (const kind of WORKER_KINDS) {
      const depths = this.#parts.depths(kind);
      const told = this.#told[kind];
      for (const pool of new Set([...told.keys(), ...depths.keys()])) {
        const depth = depths.get(pool) ?? NOBODY;
        if (depth.waiting === (told.get(pool) ?? 0)) continue;
        if (depth.waiting > 0) told.set(pool, depth.waiting);
        else told.delete(pool);
        await this.#parts.tell({ kind, pool }, depth);
      }
    }
  }

  /** The others know nothing any more. */
  forget(): void {
    for (const told of Object.values(this.#told)) told.clear();
  }
}
