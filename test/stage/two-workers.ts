import type { Viewer } from '../bench/rooms/viewers/viewer.ts';
import type { AvatarViewer } from '../support/picture/avatar-viewer.ts';
import { MOVING, type RunningService } from '../support/processes/service.ts';
import { startWorker } from '../support/processes/worker-process.ts';
import { until } from '../support/until.ts';
import { openAgentsRoom } from './agents-room.ts';

type Session = {
  id: string;
  status: { type: string; started_at?: string };
  end_reason?: string;
};

/** A `MOVING` service, and a second worker. Call `leave` after each test. */
export class TwoWorkers {
  readonly service: RunningService;
  readonly #leaving: (() => Promise<unknown>)[] = [];

  constructor(service: RunningService) {
    this.service = service;
  }

  async find(id: string): Promise<Session> {
    return (await (await this.service.api(`/v1/sessions/${id}`)).json()) as Session;
  }

  /** A session on the service's own worker, and a second, idle worker. */
  async open(watcher: Viewer | AvatarViewer) {
    const { id, agent } = await openAgentsRoom(this.service, watcher);
    this.#leaving.push(
      () => agent.leave(),
      () => watcher.leave(),
    );
    await until(async () => (await this.find(id)).status.type === 'ongoing');
    const secondWorker = await startWorker(this.service, MOVING);
    this.#leaving.push(() => secondWorker.kill());
    return { id, agent, secondWorker: secondWorker };
  }

  async leave(): Promise<void> {
    for (const leave of this.#leaving.splice(0).toReversed()) await leave();
  }
}
