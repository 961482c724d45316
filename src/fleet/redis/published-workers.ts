import { newName } from '#shared/ids.ts';
import type { ConnectedWorker } from '../fleet.ts';
import type { Member } from '../connected-workers.ts';
import { reportOf, type RedisSlots } from './redis-slots.ts';

/** The workers whose sockets are at this control plane, as the others know them: what has not changed is not said again. */
export class PublishedWorkers {
  readonly #slots: RedisSlots;
  /** The name of this control plane. */
  readonly #self: string;
  /** Names the connection of each one, and what was said of it last. */
  readonly #told = new WeakMap<ConnectedWorker, { connection: string; report: string | null }>();

  constructor(slots: RedisSlots, self: string) {
    this.#slots = slots;
    this.#self = self;
  }

  /** It is connected, and nothing of it is known; or not any more. */
  async enter(member: Member): Promise<void> {
    const told = this.#of(member.worker);
    told.report = null;
    await this.#slots.join(member, told.connection, this.#self);
    await this.say(member);
  }

  async say(member: Member): Promise<void> {
    const told = this.#of(member.worker);
    const report = reportOf(member);
    const text = report.join(' ');
    if (told.report === text) return;
    told.report = text;
    try {
      await this.#slots.say(member.worker.facts.workerId, told.connection, report);
    } catch (error) {
      told.report = null;
      throw error;
    }
  }

  async leave(worker: ConnectedWorker): Promise<void> {
    await this.#slots.leave(worker.facts.workerId, this.#of(worker).connection);
  }

  #of(worker: ConnectedWorker) {
    const told = this.#told.get(worker) ?? { connection: newName('connection'), report: null };
    this.#told.set(worker, told);
    return told;
  }
}
