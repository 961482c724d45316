/*
 * A real API server with etcd and the controllers that make pods of Deployments and Jobs. There is
 * no kubelet and no scheduler.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { openSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort } from '../../support/processes/free-port.ts';
import { until } from '../../support/until.ts';
import { goProgram } from './tools.ts';

const ADMIN_TOKEN = 'token-of-the-administrator';
const START_MS = 120_000;

const CONTROLLERS = [
  'deployment-controller',
  'replicaset-controller',
  'job-controller',
  'serviceaccount-controller',
  'root-ca-certificate-publisher-controller',
];

export const SERVERS = ['etcd', 'kube-apiserver', 'kube-controller-manager'] as const;
type ServerName = (typeof SERVERS)[number];

export type Answer = { status: number; body: unknown };

export type ApiRequest = {
  method?: string;
  body?: unknown;
  contentType?: string;
  /** Default: the administrator's. */
  token?: string;
};

/** The owner closes it. */
export class ApiServer {
  readonly url: string;
  /** The administrator's, for helm. */
  readonly kubeconfig: string;
  /** File with the certificate that clients must trust. */
  readonly ca: string;
  readonly #folder: string;
  readonly #processes: ChildProcess[] = [];

  private constructor(folder: string, port: number) {
    this.#folder = folder;
    this.url = `https://127.0.0.1:${port}`;
    this.kubeconfig = path.join(folder, 'kubeconfig');
    this.ca = path.join(folder, 'apiserver.crt');
  }

  static async open(): Promise<ApiServer> {
    const folder = await mkdtemp(path.join(tmpdir(), 'troupe-cluster-'));
    const [etcdPort, peerPort, port] = [await freePort(), await freePort(), await freePort()];
    const server = new ApiServer(folder, port);
    try {
      await server.#startEtcd(etcdPort, peerPort);
      await server.#startApi(port, etcdPort);
      await server.#startControllers();
    } catch (error) {
      const logs = SERVERS.map((name) => server.#endOfLog(name));
      await server.close();
      throw new Error(`the cluster did not start\n${logs.join('\n')}`, { cause: error });
    }
    return server;
  }

  async call(
    below: string,
    { method = 'GET', body, contentType, token }: ApiRequest = {},
  ): Promise<Answer> {
    const headers = {
      authorization: `Bearer ${token ?? ADMIN_TOKEN}`,
      ...(body !== undefined && { 'content-type': contentType ?? 'application/json' }),
    };
    const outgoing = request(new URL(below, this.url), {
      method,
      headers,
      ca: readFileSync(this.ca),
    });
    outgoing.end(body === undefined ? undefined : JSON.stringify(body));
    const [response] = await once(outgoing, 'response');
    let text = '';
    for await (const chunk of response.setEncoding('utf8')) text += chunk;
    return { status: response.statusCode, body: JSON.parse(text) };
  }

  /** As `call`, but rejects unless the answer is a success. */
  async must<Body>(below: string, order: ApiRequest = {}): Promise<Body> {
    const { status, body } = await this.call(below, order);
    if (status < 300) return body as Body;
    throw new Error(`${order.method ?? 'GET'} ${below}: ${status} ${JSON.stringify(body)}`);
  }

  async close(): Promise<void> {
    for (const child of this.#processes.splice(0).toReversed()) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      const exit = once(child, 'exit');
      child.kill('SIGKILL');
      await exit;
    }
    await rm(this.#folder, { recursive: true, force: true });
  }

  async #startEtcd(port: number, peerPort: number) {
    const [url, peers] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${peerPort}`];
    await this.#spawn('etcd', {
      'data-dir': path.join(this.#folder, 'etcd'),
      'listen-client-urls': url,
      'advertise-client-urls': url,
      'listen-peer-urls': peers,
      'initial-advertise-peer-urls': peers,
      'initial-cluster': `default=${peers}`,
      'unsafe-no-fsync': 'true',
    });
  }

  async #startApi(port: number, etcdPort: number) {
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const key = await this.#write('sa.key', privateKey.export({ type: 'pkcs8', format: 'pem' }));
    const keyPublic = await this.#write(
      'sa.pub',
      publicKey.export({ type: 'spki', format: 'pem' }),
    );
    const tokens = await this.#write('tokens.csv', `${ADMIN_TOKEN},admin,1,system:masters\n`);
    await this.#spawn('kube-apiserver', {
      'etcd-servers': `http://127.0.0.1:${etcdPort}`,
      'secure-port': `${port}`,
      'bind-address': '127.0.0.1',
      // No Endpoints of the API server itself.
      'advertise-address': '192.0.2.1',
      'endpoint-reconciler-type': 'none',
      'service-cluster-ip-range': '10.96.0.0/16',
      'authorization-mode': 'RBAC',
      'token-auth-file': tokens,
      'cert-dir': this.#folder,
      'service-account-key-file': keyPublic,
      'service-account-signing-key-file': key,
      'service-account-issuer': 'https://kubernetes.default.svc',
    });
    await until(() => this.#isReady(), START_MS);
    const kubeconfig = {
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [{ name: 'it', cluster: { server: this.url, 'certificate-authority': this.ca } }],
      users: [{ name: 'admin', user: { token: ADMIN_TOKEN } }],
      contexts: [{ name: 'it', context: { cluster: 'it', user: 'admin' } }],
      'current-context': 'it',
    };
    await writeFile(this.kubeconfig, JSON.stringify(kubeconfig), { mode: 0o600 });
  }

  async #startControllers() {
    await this.#spawn('kube-controller-manager', {
      kubeconfig: this.kubeconfig,
      controllers: CONTROLLERS.join(','),
      'leader-elect': 'false',
      'secure-port': '0',
      'root-ca-file': this.ca,
    });
  }

  async #isReady(): Promise<boolean> {
    this.#throwIfGone();
    return this.call('/readyz?verbose=false').then(
      ({ status }) => status === 200,
      // A text, so it does not parse, or no answer yet.
      (error: Error) => error instanceof SyntaxError,
    );
  }

  #throwIfGone(): void {
    const exitedProcess = this.#processes.find(({ exitCode }) => exitCode !== null);
    if (exitedProcess)
      throw new Error(`${exitedProcess.spawnfile} exited with ${exitedProcess.exitCode}`);
  }

  async #spawn(name: ServerName, flags: Record<string, string>) {
    const args = Object.entries(flags).map(([flag, value]) => `--${flag}=${value}`);
    const log = openSync(path.join(this.#folder, `${name}.log`), 'a');
    const program = await goProgram(name);
    this.#processes.push(spawn(program, args, { cwd: this.#folder, stdio: ['ignore', log, log] }));
  }

  #endOfLog(name: string): string {
    try {
      return readFileSync(path.join(this.#folder, `${name}.log`), 'utf8').slice(-1_500);
    } catch {
      return `${name}: not started`;
    }
  }

  async #write(name: string, text: string | Buffer): Promise<string> {
    const file = path.join(this.#folder, name);
    await writeFile(file, text, { mode: 0o600 });
    return file;
  }
}
