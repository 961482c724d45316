import type { Viewer } from '../bench/rooms/viewer.ts';
import type { Witness } from '../support/picture/witness.ts';
import { NO_AGENTS, startService, type RunningService } from '../support/processes/service.ts';
import { startWorker } from '../support/processes/worker-process.ts';
import { until } from '../support/until.ts';
import { openAgentsRoom } from './agents-room.ts';

/** Of a service with workers beside its own. A stopping worker hands its sessions over at once. */
export const SEVERAL_WORKERS = {
  ...NO_AGENTS,
  WORKER_TOKEN: 'a token that all workers know',
  DRAIN_SECONDS: '0',
  LOG_LEVEL: 'info',
};

type Session = {
  id: string;
  status: { type: string; started_at?: string };
  end_reason?: string;
};

/** A service whose sessions move between two worker processes. Call `leave` after each test. */
export class TwoWorkers {
  readonly service: RunningService;
  readonly #leaving: (() => Promise<unknown>)[] = [];

  static async start(): Promise<TwoWorkers> {
    return new TwoWorkers(await startService({ env: SEVERAL_WORKERS }));
  }

  private constructor(service: RunningService) {
    this.service = service;
  }

  async find(id: string): Promise<Session> {
    return (await (await this.service.api(`/v1/sessions/${id}`)).json()) as Session;
  }

  /** A session on the service's own worker, and a second, idle worker. */
  async open(watcher: Viewer | Witness) {
    const { id, agent } = await openAgentsRoom(this.service, watcher);
    this.#leaving.push(
      () => agent.leave(),
      () => watcher.leave(),
    );
    await until(async () => (await this.find(id)).status.type === 'ongoing');
    const other = await startWorker(this.service, SEVERAL_WORKERS);
    this.#leaving.push(() => other.kill());
    return { id, agent, other };
  }

  async leave(): Promise<void> {
    for (const leave of this.#leaving.splice(0).toReversed()) await leave();
  }
}
