/*
 * Surroundings of the chart in its test: the cluster, its namespace and Secrets, PostgreSQL, Redis,
 * and processes of ours.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { builtInAvatars } from '../../../src/avatars/built-in-avatars.ts';
import { openDatabase } from '../../../src/records/engine/database.ts';
import {
  startControlProcess,
  type ControlProcess,
} from '../../support/processes/control-process.ts';
import { programEnv } from '../../support/processes/program-env.ts';
import { PostgresServer } from '../../support/records/postgres.ts';
import { RedisServer } from '../../support/records/redis.ts';
import { until } from '../../support/until.ts';
import { SimulatedWorker } from '../../support/simulated-worker.ts';
import { command } from '../command.ts';
import { ApiServer, type Answer } from './api-server.ts';
import { defineCustomResources } from './custom-resources.ts';
import { PodRunner, type Pod } from './pod-runner.ts';

export const NAMESPACE = 'faces';
export const RELEASE = 'show';

const SESSIONS = 5;
const AVATARS = builtInAvatars()
  .all()
  .map(({ id }) => id);
const PATIENCE_MS = 60_000;
const WORKER_TOKEN = 'a token that workers know';
const API_KEY = 'key-of-the-first-account';
const CONTROL = `http://${RELEASE}-troupe-control:8080`;

type Deployment = {
  spec: {
    replicas: number;
    template: {
      spec: {
        containers: [{ name: string; command?: string[]; env: { name: string; value?: string }[] }];
      };
    };
  };
};
type JobStatus = { succeeded?: number; failed?: number };
type Trigger = { metadata: Record<string, string> };

export class ClusterStage {
  readonly api: ApiServer;
  readonly runner: PodRunner;
  readonly folder: string;
  readonly #mapped: Map<string, string>;
  readonly #postgres: PostgresServer;
  readonly #redis: RedisServer;
  readonly #workers: SimulatedWorker[] = [];
  #control: ControlProcess | null = null;
  #deletionCost: ChildProcess | null = null;

  private constructor(parts: {
    api: ApiServer;
    postgres: PostgresServer;
    redis: RedisServer;
    folder: string;
  }) {
    this.api = parts.api;
    this.folder = parts.folder;
    this.#postgres = parts.postgres;
    this.#redis = parts.redis;
    this.#mapped = new Map();
    this.runner = new PodRunner({
      api: this.api,
      namespace: NAMESPACE,
      mapped: this.#mapped,
      dataDir: path.join(this.folder, 'data'),
    });
  }

  static async open(): Promise<ClusterStage> {
    const folder = await mkdtemp(path.join(tmpdir(), 'troupe-stage-'));
    const postgres = await PostgresServer.open();
    const redis = await RedisServer.open();
    return new ClusterStage({ api: await ApiServer.open(), postgres, redis, folder });
  }

  async prepare(): Promise<void> {
    await this.api.must('/api/v1/namespaces', {
      method: 'POST',
      body: {
        metadata: {
          name: NAMESPACE,
          labels: { 'pod-security.kubernetes.io/enforce': 'restricted' },
        },
      },
    });
    await this.#makeSecret('troupe', {
      DATABASE_URL: this.#postgres.url,
      REDIS_URL: this.#redis.url,
      TROUPE_SECRET_KEY: randomBytes(32).toString('base64'),
      TROUPE_API_KEY: API_KEY,
      WORKER_TOKEN,
    });
    await defineCustomResources(this.api);
  }

  async tables(): Promise<string[]> {
    const database = openDatabase({ url: this.#postgres.url });
    try {
      return (await database.introspection.getTables()).map(({ name }) => name);
    } finally {
      await database.destroy();
    }
  }

  /** On a port of this machine, with the other variables of the Deployment. */
  async startControl(): Promise<void> {
    const env = await this.#environmentOf(`${RELEASE}-troupe-control`);
    this.#control = await startControlProcess({ ...env, PORT: '0', HOST: '127.0.0.1' });
    this.#mapped.set(CONTROL, this.#control.url);
  }

  async makeOperatorKey(): Promise<void> {
    const env = await this.#environmentOf(`${RELEASE}-troupe-control`);
    const key = await command(
      process.execPath,
      ['src/start/commands/key.ts', '--name', 'cluster', '--scope', 'operator'],
      { env: { ...programEnv, ...env } },
    );
    await this.#makeSecret('troupe-operator', { key: key.trim() });
  }

  /** The value that a `metrics-api` trigger would read. */
  async askAsKeda(name: string) {
    const object = await this.api.must<{ spec: { triggers: [Trigger] } }>(
      `/apis/keda.sh/v1alpha1/namespaces/${NAMESPACE}/scaledobjects/${name}`,
    );
    const { url = '', valueLocation = '', keyParamName = '' } = object.spec.triggers[0].metadata;
    const key = await this.#operatorKey();
    const reply = await fetch(url.replace(CONTROL, this.#control!.url), {
      headers: { [keyParamName]: key },
    });
    const value = valueLocation
      .split('.')
      .reduce<unknown>((at, part) => (at as Record<string, unknown>)[part], await reply.json());
    return { url, valueLocation, value };
  }

  podsOf(component: string): Promise<Pod[]> {
    return this.runner.pods(`app.kubernetes.io/component=${component}`);
  }

  /**
   * Joins a worker for each pod, under its name. Returns the number of sessions by pod: none on the
   * first.
   */
  async fillWorkers(pods: string[]): Promise<Map<string, number>> {
    const workerOptions = {
      url: this.#control!.url,
      token: WORKER_TOKEN,
      slots: 8,
      avatars: AVATARS,
    };
    for (const host of pods)
      this.#workers.push(await new SimulatedWorker({ ...workerOptions, host }).join());
    this.#workers[0]!.mood = 'refuses';
    for (let opened = 0; opened < SESSIONS; opened++) await this.#openSession();
    const performed = () => this.#workers.map(({ performing }) => performing.size);
    await until(() => performed().reduce((sum, each) => sum + each) === SESSIONS, PATIENCE_MS);
    return new Map(performed().map((sessions, at) => [pods[at]!, sessions]));
  }

  /** Runs what the CronJob of the backups runs. Returns the backups that are there. */
  async backUp(): Promise<string[]> {
    const folder = path.join(this.folder, 'backups');
    await mkdir(folder, { recursive: true });
    this.#mapped.set('/backup', folder);
    const jobs = `/apis/batch/v1/namespaces/${NAMESPACE}`;
    const { spec } = await this.api.must<{ spec: { jobTemplate: { spec: object } } }>(
      `${jobs}/cronjobs/${RELEASE}-troupe-backup`,
    );
    const job = await this.api.must<{ metadata: { name: string } }>(`${jobs}/jobs`, {
      method: 'POST',
      body: { metadata: { generateName: 'backup-' }, spec: spec.jobTemplate.spec },
    });
    const { name } = job.metadata;
    const state = () => this.api.must<{ status: JobStatus }>(`${jobs}/jobs/${name}`);
    await until(async () => isOver((await state()).status), PATIENCE_MS);
    if (!(await state()).status.succeeded) throw new Error([...this.runner.output].join('\n'));
    return readdir(folder);
  }

  /** From its Deployment, with a token of its service account. */
  async startDeletionCost(): Promise<void> {
    const name = `${RELEASE}-troupe-deletion-cost`;
    const account = path.join(this.folder, 'account');
    await mkdir(account);
    await writeFile(path.join(account, 'token'), await this.#tokenOf(name));
    await writeFile(path.join(account, 'namespace'), NAMESPACE);
    const { command: line = [] } = await this.#containerOf(name);
    this.#deletionCost = spawn(line[0]!, line.slice(1), {
      env: {
        ...programEnv,
        ...(await this.#environmentOf(name)),
        KUBERNETES_URL: this.api.url,
        SERVICE_ACCOUNT_DIR: account,
        NODE_EXTRA_CA_CERTS: this.api.ca,
      },
      stdio: 'inherit',
    });
  }

  async asDeletionCost(resource: string): Promise<Answer> {
    const token = await this.#tokenOf(`${RELEASE}-troupe-deletion-cost`);
    return this.api.call(`/api/v1/namespaces/${NAMESPACE}/${resource}`, { token });
  }

  /** As a HorizontalPodAutoscaler does it. */
  async scale(name: string, replicas: number): Promise<void> {
    await this.api.must(`/apis/apps/v1/namespaces/${NAMESPACE}/deployments/${name}/scale`, {
      method: 'PATCH',
      contentType: 'application/merge-patch+json',
      body: { spec: { replicas } },
    });
  }

  async replicas(name: string): Promise<number> {
    return (await this.#deployment(name)).spec.replicas;
  }

  async variable(name: string, variable: string): Promise<string | undefined> {
    return (await this.#containerOf(name)).env.find((each) => each.name === variable)?.value;
  }

  async names(kind: string): Promise<string[]> {
    type List = { items: { metadata: { name: string } }[] };
    const { items } = await this.api.must<List>(`/api/v1/namespaces/${NAMESPACE}/${kind}`);
    return items.map(({ metadata }) => metadata.name).toSorted();
  }

  async close(): Promise<void> {
    if (this.#deletionCost) {
      const exit = once(this.#deletionCost, 'exit');
      this.#deletionCost.kill('SIGTERM');
      await exit;
    }
    await Promise.all(this.#workers.map((worker) => worker.close()));
    await this.#control?.stop();
    await this.runner.close();
    await this.api.close();
    await this.#redis.close();
    await this.#postgres.close();
    await rm(this.folder, { recursive: true });
  }

  async #openSession(): Promise<void> {
    const reply = await fetch(new URL('/v1/sessions', this.#control!.url), {
      method: 'POST',
      headers: { 'x-api-key': API_KEY, 'content-type': 'application/json' },
      body: JSON.stringify({ avatar_id: AVATARS[0], transport: 'botroom' }),
    });
    if (reply.status !== 201) throw new Error(`no session: ${reply.status} ${await reply.text()}`);
  }

  #deployment(name: string): Promise<Deployment> {
    return this.api.must(`/apis/apps/v1/namespaces/${NAMESPACE}/deployments/${name}`);
  }

  async #containerOf(name: string) {
    return (await this.#deployment(name)).spec.template.spec.containers[0];
  }

  async #environmentOf(name: string): Promise<Record<string, string>> {
    return this.runner.environmentOf(await this.#containerOf(name));
  }

  async #tokenOf(account: string): Promise<string> {
    const { status } = await this.api.must<{ status: { token: string } }>(
      `/api/v1/namespaces/${NAMESPACE}/serviceaccounts/${account}/token`,
      { method: 'POST', body: { spec: {} } },
    );
    return status.token;
  }

  async #operatorKey(): Promise<string> {
    const { data } = await this.api.must<{ data: { key: string } }>(
      `/api/v1/namespaces/${NAMESPACE}/secrets/troupe-operator`,
    );
    return Buffer.from(data.key, 'base64').toString();
  }

  async #makeSecret(name: string, stringData: Record<string, string>): Promise<void> {
    await this.api.must(`/api/v1/namespaces/${NAMESPACE}/secrets`, {
      method: 'POST',
      body: { metadata: { name }, stringData },
    });
  }
}

const isOver = ({ succeeded = 0, failed = 0 }: JobStatus) => succeeded + failed > 0;
