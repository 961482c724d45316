/* A real Redis. Without one its tests are skipped with a message; under CI they fail. */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort } from '../processes/free-port.ts';

export const hasRedis = spawnSync('redis-server', ['--version']).status === 0;
if (!hasRedis) {
  const problem = 'redis-server is not on the PATH: install it (apt-get install redis-server)';
  if (process.env['CI']) throw new Error(problem);
  console.warn(`${problem} to run the tests of several control planes`);
}

/** The kernel ends it when its parent is killed; Linux only. */
const whenWeDie = ['--pdeathsig', 'TERM', '--'];
const hasSetpriv = spawnSync('setpriv', [...whenWeDie, 'true']).status === 0;

/** The owner closes it. */
export class RedisServer {
  readonly #folder = mkdtempSync(path.join(tmpdir(), 'troupe-redis-'));
  readonly #port: number;
  #process: ChildProcess | null = null;

  private constructor(port: number) {
    this.#port = port;
  }

  static async open(): Promise<RedisServer> {
    const server = new RedisServer(await freePort());
    await server.start();
    return server;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.#port}`;
  }

  /** Its process id while it runs. */
  get pid(): number {
    return this.#process!.pid!;
  }

  /** Restarts it empty. */
  async start(): Promise<void> {
    const settings = ['--bind', '127.0.0.1', '--save', '', '--dir', this.#folder];
    const command = ['redis-server', '--port', `${this.#port}`, ...settings];
    const [program, ...args] = hasSetpriv ? ['setpriv', ...whenWeDie, ...command] : command;
    const server = spawn(program!, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    this.#process = server;
    let isReady = false;
    for await (const line of server.stdout) {
      isReady = /Ready to accept/.test(String(line));
      if (isReady) break;
    }
    if (!isReady) throw new Error(`redis-server did not start on port ${this.#port}`);
    server.stdout.resume();
  }

  /** `kill -9`. */
  async kill(): Promise<void> {
    const server = this.#process;
    this.#process = null;
    if (!server) return;
    const exit = once(server, 'exit');
    server.kill('SIGKILL');
    await exit;
  }

  async close(): Promise<void> {
    await this.kill();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
