/*
 * Does what a kubelet does for the tests of the chart. Pods with a command that ends, of Jobs and
 * `helm test`, run as processes of this machine with exactly the variables of their manifest; the
 * names of Services lead to this machine. Pods of Deployments are only marked as running.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { programEnv } from '../../support/processes/program-env.ts';
import type { ApiServer } from './api-server.ts';

type Variable = {
  name: string;
  value?: string;
  valueFrom?: { secretKeyRef: { name: string; key: string; optional?: boolean } };
};
type Container = { name: string; command?: string[]; env?: Variable[] };
export type Pod = {
  metadata: {
    name: string;
    labels: Record<string, string>;
    annotations?: Record<string, string>;
    deletionTimestamp?: string;
    deletionGracePeriodSeconds?: number;
  };
  spec: {
    nodeName?: string;
    restartPolicy: string;
    terminationGracePeriodSeconds: number;
    containers: [Container];
  };
  status: { phase: string };
};

type RunnerOptions = {
  api: ApiServer;
  namespace: string;
  /** Addresses of Services and folders of volumes, and where they are on this machine. */
  mapped: Map<string, string>;
  /** DATA_DIR of the processes. */
  dataDir: string;
};

const NODE = 'machine-1';
const PAUSE_MS = 200;

export class PodRunner {
  /** Output of the processes, by pod. */
  readonly output = new Map<string, string>();
  readonly #options: RunnerOptions;
  readonly #stop = new AbortController();
  readonly #running = new Set<Promise<void>>();
  readonly #over: Promise<void>;

  constructor(options: RunnerOptions) {
    this.#options = options;
    this.#over = this.#watch();
  }

  get #path(): string {
    return `/api/v1/namespaces/${this.#options.namespace}/pods`;
  }

  async pods(selector = ''): Promise<Pod[]> {
    const query = new URLSearchParams({ labelSelector: selector });
    const { items } = await this.#options.api.must<{ items: Pod[] }>(`${this.#path}?${query}`);
    return items;
  }

  /** The variables of a container, with those from Secrets. Throws if a required one is missing. */
  async environmentOf({ env = [] }: Container): Promise<Record<string, string>> {
    const values = await Promise.all(
      env.map(async (each) => [each.name, await this.#valueOf(each)]),
    );
    return Object.fromEntries(values.filter(([, value]) => value !== undefined));
  }

  async close(): Promise<void> {
    this.#stop.abort();
    await this.#over;
    await Promise.all(this.#running);
  }

  async #watch(): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      const fresh = (await this.pods()).filter(
        ({ spec, metadata }) => spec.nodeName === undefined && !metadata.deletionTimestamp,
      );
      for (const pod of fresh) await this.#take(pod);
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  }

  async #take(pod: Pod): Promise<void> {
    const { name } = pod.metadata;
    await this.#options.api.must(`${this.#path}/${name}/binding`, {
      method: 'POST',
      body: {
        apiVersion: 'v1',
        kind: 'Binding',
        metadata: { name },
        target: { apiVersion: 'v1', kind: 'Node', name: NODE },
      },
    });
    const ready = { type: 'Ready', status: 'True', lastTransitionTime: new Date().toISOString() };
    await this.#setStatus(pod, { phase: 'Running', conditions: [ready] });
    if (pod.spec.restartPolicy !== 'Never') return;
    const running = this.#runToEnd(pod).finally(() => this.#running.delete(running));
    this.#running.add(running);
  }

  async #runToEnd(pod: Pod): Promise<void> {
    const [container] = pod.spec.containers;
    const [program, ...args] = container.command ?? [];
    const child = spawn(program!, args, {
      env: { ...programEnv, ...(await this.environmentOf(container)) },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => (output += text));
    const [code] = (await once(child, 'close')) as [number];
    this.output.set(pod.metadata.name, output);
    await this.#setStatus(pod, { phase: code === 0 ? 'Succeeded' : 'Failed' });
  }

  async #setStatus({ metadata: { name } }: Pod, status: object): Promise<void> {
    await this.#options.api.must(`${this.#path}/${name}/status`, {
      method: 'PATCH',
      contentType: 'application/merge-patch+json',
      body: { status },
    });
  }

  async #valueOf({ name, value, valueFrom }: Variable): Promise<string | undefined> {
    const { api, namespace, mapped, dataDir } = this.#options;
    if (name === 'DATA_DIR') return dataDir;
    if (!valueFrom) return mapped.get(value ?? '') ?? value;
    const { secretKeyRef: secret } = valueFrom;
    const { body } = await api.call(`/api/v1/namespaces/${namespace}/secrets/${secret.name}`);
    const data = (body as { data?: Record<string, string> }).data?.[secret.key];
    if (data !== undefined) return Buffer.from(data, 'base64').toString();
    if (secret.optional) return undefined;
    throw new Error(`the Secret ${secret.name} has no ${secret.key}`);
  }
}
