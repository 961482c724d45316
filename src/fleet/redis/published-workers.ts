import { newName } from '#shared/ids.ts';
import type { ConnectedWorker } from '../fleet.ts';
import type { WorkerEntry } from '../connected-workers.ts';
import { reportOf, type RedisSlots } from './redis-slots.ts';

/**
 * Publishes this node's connected workers to the other nodes. Unchanged reports are not sent again.
 */
export class PublishedWorkers {
  readonly #slots: RedisSlots;
  /** The name of this node. */
  readonly #self: string;
  readonly #published = new WeakMap<
    ConnectedWorker,
    { connection: string; report: string | null }
  >();

  constructor(slots: RedisSlots, self: string) {
    this.#slots = slots;
    this.#self = self;
  }

  /** Publishes the worker in full: it is new, or Redis has lost it. */
  async enter(entry: WorkerEntry): Promise<void> {
    const published = this.#of(entry.worker);
    published.report = null;
    await this.#slots.join(entry, published.connection, this.#self);
    await this.publish(entry);
  }

  async publish(entry: WorkerEntry): Promise<void> {
    const published = this.#of(entry.worker);
    const report = reportOf(entry);
    const text = report.join(' ');
    if (published.report === text) return;
    published.report = text;
    try {
      await this.#slots.report(entry.worker.facts.workerId, published.connection, report);
    } catch (error) {
      published.report = null;
      throw error;
    }
  }

  async leave(worker: ConnectedWorker): Promise<void> {
    await this.#slots.leave(worker.facts.workerId, this.#of(worker).connection);
  }

  #of(worker: ConnectedWorker) {
    const published = this.#published.get(worker) ?? {
      connection: newName('connection'),
      report: null,
    };
    this.#published.set(worker, published);
    return published;
  }
}
