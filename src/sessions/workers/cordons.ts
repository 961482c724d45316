/*
 * Cordoned workers take no new sessions until they are resumed, and keep their own. The records
 * hold them, so that a worker stays cordoned when it reconnects and when a control plane restarts.
 */
import type { Clock } from '#shared/clock.ts';
import type { Log } from '#shared/log.ts';
import type { ClusterBus } from '../../cluster/cluster-bus.ts';
import type { Fleet } from '../../fleet/fleet.ts';
import type { CordonRecords } from '../../records/fleet/cordons.ts';
import type { SessionNotices, SessionRequests } from '../cluster/messages.ts';

type CordonsParts = {
  records: Pick<CordonRecords, 'workerIds' | 'forget'>;
  fleet: Pick<Fleet, 'cordon' | 'workers'>;
  /** Null: this control plane is the only one. */
  bus: ClusterBus<SessionRequests, SessionNotices> | null;
  clock: Clock;
  log: Pick<Log, 'warn'>;
};

/** Interval at which a control plane looks for changes of which no message arrived. */
const LOOK_EVERY_MS = 5_000;

/** A worker that has not returned after so long is forgotten: ids are not used again. */
const FORGET_AFTER_MS = 30 * 24 * 3_600_000;

export class Cordons {
  readonly #parts: CordonsParts;
  #stopLooking: () => void = () => {};
  #looking: Promise<void> = Promise.resolve();

  constructor(parts: CordonsParts) {
    this.#parts = parts;
    parts.bus?.onRequest('cordons_changed', async () => {
      await this.#look();
      return null;
    });
  }

  async start(): Promise<void> {
    await this.#look();
    this.#stopLooking = this.#parts.clock.every(LOOK_EVERY_MS, () => this.#look());
  }

  /** Call when a cordon was changed. Resolves when every control plane that answers knows it. */
  async changed(): Promise<void> {
    const { bus, log } = this.#parts;
    await Promise.all([this.#look(), this.#forgetOld()]);
    if (!bus) return;
    const otherNodes = (await bus.living()).filter((node) => node !== bus.self);
    await Promise.all(
      otherNodes.map((node) =>
        bus
          .request(node, 'cordons_changed', null)
          .catch((err: unknown) => log.warn({ node, err }, 'control plane not told of a cordon')),
      ),
    );
  }

  /** Resolves when nothing is being read. */
  async close(): Promise<void> {
    this.#stopLooking();
    await this.#looking;
  }

  /** In turn: an earlier read must not overwrite a later one. */
  #look(): Promise<void> {
    const { records, fleet, log } = this.#parts;
    this.#looking = this.#looking
      .then(async () => fleet.cordon(new Set(await records.workerIds())))
      .catch((err: unknown) => log.warn({ err }, 'cordons not read'));
    return this.#looking;
  }

  async #forgetOld(): Promise<void> {
    const { records, fleet, clock } = this.#parts;
    const connected = (await fleet.workers()).map(({ facts }) => facts.workerId);
    await records.forget(clock.now() - FORGET_AFTER_MS, connected);
  }
}
