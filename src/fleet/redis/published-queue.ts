import { WORKER_KINDS, type WorkerKind } from '#protocol/worker/worker-messages.ts';
import type { Depth } from '../queue.ts';

export type QueueName = { kind: WorkerKind; pool: string };

type PublishedQueueParts = {
  /** Depth of this node's queue for workers of a kind, by pool. */
  depths: (kind: WorkerKind) => Map<string, Depth>;
  publish: (queue: QueueName, depth: Depth) => Promise<void>;
};

const EMPTY: Depth = { waiting: 0, oldestWaitMs: 0 };

/** Publishes this node's queue depths to the other nodes when they change. */
export class PublishedQueue {
  readonly #parts: PublishedQueueParts;
  readonly #published: Record<WorkerKind, Map<string, number>> = {
    avatar: new Map(),
    agent: new Map(),
  };

  constructor(parts: PublishedQueueParts) {
    this.#parts = parts;
  }

  async publish(): Promise<void> {
    for (const kind of WORKER_KINDS) {
      const depths = this.#parts.depths(kind);
      const published = this.#published[kind];
      for (const pool of new Set([...published.keys(), ...depths.keys()])) {
        const depth = depths.get(pool) ?? EMPTY;
        if (depth.waiting === (published.get(pool) ?? 0)) continue;
        if (depth.waiting > 0) published.set(pool, depth.waiting);
        else published.delete(pool);
        await this.#parts.publish({ kind, pool }, depth);
      }
    }
  }

  /** Call when Redis has lost what was published. */
  forget(): void {
    for (const published of Object.values(this.#published)) published.clear();
  }
}
