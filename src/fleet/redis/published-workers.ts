import { newName } from '#shared/ids.ts';
import type { ConnectedWorker } from '../fleet.ts';
import type { WorkerEntry } from '../connected-workers.ts';
import { reportOf, type RedisSlots, type Report } from './redis-slots.ts';

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
    this.#of(entry.worker).report = null;
    // With its report: the slots of a cordoned worker are never offered, not even for a moment.
    await this.#publish(entry, (connection, report) =>
      this.#slots.join(entry, connection, this.#self, report),
    );
  }

  async publish(entry: WorkerEntry): Promise<void> {
    await this.#publish(entry, (connection, report) =>
      this.#slots.report(entry.worker.facts.workerId, connection, report),
    );
  }

  async leave(worker: ConnectedWorker): Promise<void> {
    await this.#slots.leave(worker.facts.workerId, this.#of(worker).connection);
  }

  async #publish(
    entry: WorkerEntry,
    send: (connection: string, report: Report) => Promise<void>,
  ): Promise<void> {
    const published = this.#of(entry.worker);
    const report = reportOf(entry);
    const text = report.join(' ');
    if (published.report === text) return;
    published.report = text;
    try {
      await send(published.connection, report);
    } catch (error) {
      published.report = null;
      throw error;
    }
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
