import path from 'node:path';
import { copyDatabase, dropDatabase } from '../support/records/postgres-databases.ts';
import { until } from '../support/until.ts';
import type { Client } from './client.ts';
import { ControlPlanes } from './control-planes.ts';
import { addOperatorKey } from './operator.ts';
import { Receiver } from './receiver.ts';
import { Rooms } from './rooms.ts';
import { PLANES, WORKERS } from './schedule.ts';
import type { Servers } from './servers.ts';
import { ChaosWorker } from './worker.ts';

/**
 * Three control planes and some workers with a new database, all healthy. Close after each
 * schedule.
 */
export class Stage {
  readonly servers: Servers;
  readonly rooms = new Rooms();
  readonly receiver: Receiver;
  readonly planes: ControlPlanes<number>;
  readonly chance: () => number;
  readonly workers: ChaosWorker[] = [];
  readonly #databaseUrl: string;
  #lives = 0;

  static async open(servers: Servers, chance: () => number): Promise<Stage> {
    await servers.redis.kill();
    await servers.redis.start();
    const [databaseUrl, receiver] = await Promise.all([
      copyDatabase(servers.template),
      Receiver.open(),
    ]);
    const shared = { DATABASE_URL: databaseUrl, REDIS_URL: servers.redis.url };
    const planes = await ControlPlanes.open<number>(shared);
    const stage = new Stage(servers, chance, { databaseUrl, receiver, planes });
    await stage.#begin();
    return stage;
  }

  private constructor(
    servers: Servers,
    chance: () => number,
    parts: { databaseUrl: string; receiver: Receiver; planes: ControlPlanes<number> },
  ) {
    this.servers = servers;
    this.chance = chance;
    this.receiver = parts.receiver;
    this.planes = parts.planes;
    this.#databaseUrl = parts.databaseUrl;
  }

  get client(): Client {
    return this.planes.client;
  }

  async #begin(): Promise<void> {
    await addOperatorKey(this.#databaseUrl);
    await Promise.all(Array.from({ length: PLANES }, (_, i) => this.planes.start(i)));
    await this.receiver.subscribe(this.client);
    await Promise.all(Array.from({ length: WORKERS }, (_, i) => this.startWorker(i)));
    await until(() => this.workers.every(({ isConnected }) => isConnected));
  }

  /** SIGSTOP. The returned function sends SIGCONT. */
  pausePlane(index: number): () => void {
    const pid = this.planes.get(index)?.pid;
    if (pid === undefined) return () => {};
    process.kill(pid, 'SIGSTOP');
    return () => {
      if (this.planes.get(index)?.pid === pid) process.kill(pid, 'SIGCONT');
    };
  }

  /** Each process has its own id, like real ones. */
  async startWorker(index: number): Promise<void> {
    const { rooms, chance } = this;
    const workerId = `worker-${index}-${(this.#lives += 1)}`;
    const logFile = path.join(this.planes.logs, `${workerId}.log`);
    const options = { workerId, targets: this.planes.urls, turn: index, rooms, chance, logFile };
    const worker = await ChaosWorker.open(options);
    this.workers[index] = worker;
  }

  async close(): Promise<void> {
    await Promise.all(this.workers.map((worker) => worker.kill()));
    await this.planes.close();
    await this.receiver.close();
    await dropDatabase(this.#databaseUrl);
  }
}
