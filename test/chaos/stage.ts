import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startControlProcess, type ControlProcess } from '../support/processes/control-process.ts';
import { copyDatabase, dropDatabase } from '../support/records/postgres-databases.ts';
import { until } from '../support/until.ts';
import { Client } from './client.ts';
import { API_KEY, WORKER_TOKEN } from './names.ts';
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
  readonly client: Client;
  readonly chance: () => number;
  readonly workers: ChaosWorker[] = [];
  readonly #planes: (ControlProcess | null)[] = [];
  readonly #env: Record<string, string>;
  #lives = 0;

  static async open(servers: Servers, chance: () => number): Promise<Stage> {
    await servers.redis.kill();
    await servers.redis.start();
    const [dataDir, url, receiver] = await Promise.all([
      mkdtemp(path.join(tmpdir(), 'troupe-chaos-')),
      copyDatabase(servers.template),
      Receiver.open(),
    ]);
    const stage = new Stage(servers, chance, receiver, {
      DATA_DIR: dataDir,
      DATABASE_URL: url,
      REDIS_URL: servers.redis.url,
      TROUPE_API_KEY: API_KEY,
      TROUPE_SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
      WORKER_TOKEN,
      ALLOWED_NETWORKS: '127.0.0.0/8',
    });
    await mkdir(stage.logs);
    await stage.#begin();
    return stage;
  }

  private constructor(
    servers: Servers,
    chance: () => number,
    receiver: Receiver,
    env: Record<string, string>,
  ) {
    this.servers = servers;
    this.chance = chance;
    this.receiver = receiver;
    this.#env = env;
    this.client = new Client(() => this.#targets());
  }

  async #begin(): Promise<void> {
    await addOperatorKey(this.#env['DATABASE_URL']!);
    await Promise.all(Array.from({ length: PLANES }, (_, i) => this.startPlane(i)));
    const events = ['session.started', 'session.ended'];
    await this.client.call('POST', '/v1/webhooks', { url: this.receiver.url, events });
    await Promise.all(Array.from({ length: WORKERS }, (_, i) => this.startWorker(i)));
    await until(() => this.workers.every(({ isConnected }) => isConnected));
  }

  /** Folder with the log of each process and worker. */
  get logs(): string {
    return path.join(this.#env['DATA_DIR']!, 'logs');
  }

  async startPlane(which: number): Promise<void> {
    const logFile = path.join(this.logs, `plane-${which}.log`);
    this.#planes[which] = await startControlProcess(this.#env, { logFile });
  }

  async killPlane(which: number): Promise<void> {
    const plane = this.#planes[which];
    this.#planes[which] = null;
    await plane?.kill();
  }

  /** SIGSTOP. The returned function sends SIGCONT. */
  pausePlane(which: number): () => void {
    const pid = this.#planes[which]?.pid;
    if (pid === undefined) return () => {};
    process.kill(pid, 'SIGSTOP');
    return () => {
      if (this.#planes[which]?.pid === pid) process.kill(pid, 'SIGCONT');
    };
  }

  /** Each process has its own id, like real ones. */
  async startWorker(which: number): Promise<void> {
    const { rooms, chance } = this;
    const workerId = `worker-${which}-${(this.#lives += 1)}`;
    const targets = () => this.#targets();
    const logFile = path.join(this.logs, `${workerId}.log`);
    const options = { workerId, targets, turn: which, rooms, chance, logFile };
    const worker = await ChaosWorker.open(options);
    this.workers[which] = worker;
  }

  async close(): Promise<void> {
    await Promise.all(this.workers.map((worker) => worker.kill()));
    await Promise.all(this.#planes.map((_, which) => this.killPlane(which)));
    await this.receiver.close();
    await dropDatabase(this.#env['DATABASE_URL']!);
    await rm(this.#env['DATA_DIR']!, { recursive: true });
  }

  #targets(): string[] {
    return this.#planes.flatMap((plane) => (plane ? [plane.url] : []));
  }
}
