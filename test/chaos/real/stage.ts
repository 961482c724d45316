/*
 * The real parts, each as a process: media server, Redis, PostgreSQL, control planes and avatar
 * workers. The stage owns them and ends them in `close`.
 */
import type { RoomServiceClient } from 'livekit-server-sdk';
import {
  mediaServerEnv,
  roomsOf,
  startMediaServer,
  type RunningMediaServer,
} from '../../support/processes/media-server.ts';
import { copyDatabase } from '../../support/records/postgres-databases.ts';
import { Client } from '../client.ts';
import { addOperatorKey } from '../operator.ts';
import { ControlPlanes } from '../control-planes.ts';
import { OPERATOR_KEY } from '../names.ts';
import { openServers, type Servers } from '../servers.ts';
import type { Bounds } from './bounds.ts';
import { PLANES, WORKERS } from './schedule.ts';
import { RealWorker } from './worker.ts';

type Audit = { leases: number; sessions: number; rows: number; performed: number };
type Readiness = { free_slots: number };
type WorkerRow = { state: string; slots: number; taken: number };

export class RealStage {
  readonly bounds: Bounds;
  readonly mediaServer: RunningMediaServer;
  readonly rooms: RoomServiceClient;
  readonly planes: ControlPlanes<number>;
  readonly workers: RealWorker[] = [];
  /** Includes exited workers, because their actions still count. */
  readonly allWorkers: RealWorker[] = [];
  readonly #servers: Servers;

  static async open(bounds: Bounds): Promise<RealStage> {
    const [servers, mediaServer] = await Promise.all([openServers(), startMediaServer()]);
    const databaseUrl = await copyDatabase(servers.template);
    await addOperatorKey(databaseUrl);
    const planes = await ControlPlanes.open<number>(
      { DATABASE_URL: databaseUrl, REDIS_URL: servers.redis.url },
      { ...mediaServerEnv(mediaServer), REQUESTS_PER_MINUTE: '1000000' },
    );
    const stage = new RealStage(bounds, { servers, mediaServer, planes });
    try {
      await Promise.all(Array.from({ length: PLANES }, (_, i) => planes.start(i)));
      await Promise.all(Array.from({ length: WORKERS }, (_, i) => stage.startWorker(i)));
    } catch (error) {
      await stage.close();
      throw error;
    }
    return stage;
  }

  private constructor(
    bounds: Bounds,
    parts: { servers: Servers; mediaServer: RunningMediaServer; planes: ControlPlanes<number> },
  ) {
    this.bounds = bounds;
    this.mediaServer = parts.mediaServer;
    this.rooms = roomsOf(parts.mediaServer);
    this.planes = parts.planes;
    this.#servers = parts.servers;
  }

  get client(): Client {
    return this.planes.client;
  }

  get redis(): Servers['redis'] {
    return this.#servers.redis;
  }

  /** Starts a worker in place of the one with this index. */
  async startWorker(index: number): Promise<void> {
    const { urls: targets, dataDir } = this.planes;
    const worker = await RealWorker.start({ targets, turn: index, dataDir });
    this.workers[index] = worker;
    this.allWorkers.push(worker);
  }

  /** The worker that took the session last, and its epoch. */
  performerOf(sessionId: string): { worker: RealWorker; epoch: number } {
    const placements = this.allWorkers.flatMap((worker) =>
      worker.deeds
        .filter((deed) => deed.action === 'taken' && deed.sessionId === sessionId)
        .map(({ epoch }) => ({ worker, epoch })),
    );
    const newest = placements.toSorted((a, b) => b.epoch - a.epoch)[0];
    if (!newest) throw new Error(`no worker has taken ${sessionId}`);
    return newest;
  }

  /** Deviations from this number of live sessions, at any control plane. */
  async disagreements(live: number): Promise<string[]> {
    const disagreements = await Promise.all(
      Array.from({ length: PLANES }, async (_, index) => {
        const plane = this.planes.get(index);
        if (!plane) return [`control plane ${index} is down`];
        const client = new Client(() => [plane.url]);
        const list = await client.once<{ data: WorkerRow[] }>(
          'GET',
          '/v1/fleet/workers',
          undefined,
          OPERATOR_KEY,
        );
        const workers = list?.body.data ?? [];
        const audit = await client.once<Audit>('GET', '/v1/fleet/audit', undefined, OPERATOR_KEY);
        const ready = await client.once<Readiness>('GET', '/readyz');
        const counts = {
          workers: workers.length,
          taken: sum(workers.map(({ taken }) => taken)),
          leases: audit?.body.leases,
          sessions: audit?.body.sessions,
          rows: audit?.body.rows,
          performed: audit?.body.performed,
          free: ready?.body.free_slots,
        };
        const expected = {
          workers: WORKERS,
          taken: live,
          leases: live,
          sessions: live,
          rows: live,
          performed: live,
          free: sum(workers.filter(isOffered).map(({ slots, taken }) => slots - taken)),
        };
        const isSame = JSON.stringify(counts) === JSON.stringify(expected);
        return isSame ? [] : [`control plane ${index} counts ${JSON.stringify(counts)}`];
      }),
    );
    return disagreements.flat();
  }

  async close(): Promise<void> {
    await Promise.all(this.allWorkers.map((worker) => worker.kill()));
    await this.planes.close();
    await this.mediaServer.stop();
    await this.#servers.close();
  }
}

/** On a busy machine frames may be late, and such a worker gets no sessions for a while. */
const isOffered = ({ state }: WorkerRow): boolean => state !== 'late';

const sum = (numbers: number[]): number => numbers.reduce((total, each) => total + each, 0);
