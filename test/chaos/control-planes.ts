import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startControlProcess, type ControlProcess } from '../support/processes/control-process.ts';
import { Client } from './client.ts';
import { API_KEY, WORKER_TOKEN } from './names.ts';

type Shared = { DATABASE_URL: string; REDIS_URL: string };

/** Processes that share records and Redis, by name, and a client of those that run. Close them. */
export class ControlPlanes<Name extends string | number> {
  readonly dataDir: string;
  readonly client: Client;
  readonly #env: Record<string, string>;
  readonly #running = new Map<Name, ControlProcess>();

  static async open<Name extends string | number>(
    shared: Shared,
    settings: Record<string, string> = {},
  ): Promise<ControlPlanes<Name>> {
    const planes = new ControlPlanes<Name>(await mkdtemp(path.join(tmpdir(), 'troupe-chaos-')), {
      ...shared,
      ...settings,
    });
    await mkdir(planes.logs);
    return planes;
  }

  private constructor(dataDir: string, env: Record<string, string>) {
    this.dataDir = dataDir;
    this.#env = {
      DATA_DIR: dataDir,
      TROUPE_API_KEY: API_KEY,
      TROUPE_SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
      WORKER_TOKEN,
      ALLOWED_NETWORKS: '127.0.0.0/8',
      ...env,
    };
    this.client = new Client(this.urls);
  }

  /** Folder with the log of each process. */
  get logs(): string {
    return path.join(this.dataDir, 'logs');
  }

  /** Addresses of the running ones. */
  readonly urls = (): string[] => [...this.#running.values()].map(({ url }) => url);

  /** Undefined while it is down. */
  get(name: Name): ControlProcess | undefined {
    return this.#running.get(name);
  }

  /** `checkout`: the folder with its sources, by default this one. */
  async start(name: Name, checkout = '.'): Promise<void> {
    const logFile = path.join(this.logs, `plane-${name}.log`);
    this.#running.set(name, await startControlProcess(this.#env, { checkout, logFile }));
  }

  async kill(name: Name): Promise<void> {
    await this.#take(name)?.kill();
  }

  /** It closes everything first. */
  async stop(name: Name): Promise<void> {
    await this.#take(name)?.stop();
  }

  async close(): Promise<void> {
    await Promise.all([...this.#running.keys()].map((name) => this.kill(name)));
    await rm(this.dataDir, { recursive: true });
  }

  #take(name: Name): ControlProcess | undefined {
    const plane = this.get(name);
    this.#running.delete(name);
    return plane;
  }
}
