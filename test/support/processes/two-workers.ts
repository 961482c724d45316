import { newName } from '#shared/ids.ts';
import { Agent } from '../../bench/rooms/agent.ts';
import type { Viewer } from '../../bench/rooms/viewer.ts';
import { roomToken } from '../../stage/room-token.ts';
import type { Witness } from '../picture/witness.ts';
import { until } from '../until.ts';
import { NO_AGENTS, startService, type RunningService } from './service.ts';
import { startWorker } from './worker-process.ts';

export const AVATAR = 'avatar';

// A stopping worker hands its sessions over at once.
const env = {
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
    return new TwoWorkers(await startService({ env }));
  }

  private constructor(service: RunningService) {
    this.service = service;
  }

  async find(id: string): Promise<Session> {
    return (await (await this.service.api(`/v1/sessions/${id}`)).json()) as Session;
  }

  /** A session on the service's own worker, and a second, idle worker. */
  async open(watcher: Viewer | Witness) {
    const room = newName('room');
    const { mediaServer } = this.service;
    const { url } = mediaServer;
    const seat = { kind: 'agent' } as const;
    const agent = new Agent(AVATAR);
    await agent.join(url, await roomToken(mediaServer, room, 'agent', seat));
    this.#leaving.push(() => agent.leave());
    await watcher.join(url, await roomToken(mediaServer, room, 'viewer'));
    this.#leaving.push(() => watcher.leave());
    const body = {
      avatar_id: 'nora',
      url,
      token: await roomToken(mediaServer, room, AVATAR, seat),
    };
    const { id } = await this.service.make('/v1/sessions', body);
    await until(async () => (await this.find(id)).status.type === 'ongoing');
    const other = await startWorker(this.service, env);
    this.#leaving.push(() => other.kill());
    return { id, agent, other };
  }

  async leave(): Promise<void> {
    for (const leave of this.#leaving.splice(0).toReversed()) await leave();
  }
}
