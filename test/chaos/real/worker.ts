import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { until } from '../../support/until.ts';
import { Network } from '../network.ts';
import { programEnv } from '../../support/processes/program-env.ts';

/** A worker's action on a session, from its log. */
type Deed = { what: 'taken' | 'given up'; sessionId: string; epoch: number };

const SLOTS = 4;
const START_MS = 30_000;
const LAST_LINES = 40;
const GIVEN_UP = new Set(['session ended', 'session dropped', 'session returned']);

type Line = { msg?: string; workerId?: string; sessionId?: string; epoch?: number };

/** An avatar worker as a process, with its own network. The caller ends it. */
export class RealWorker {
  static readonly slots = SLOTS;
  readonly network: Network;
  readonly deeds: Deed[] = [];
  readonly #process: ChildProcess;
  readonly #gone: Promise<number | null>;
  readonly #lines: string[] = [];
  #workerId: string | null = null;
  #isGone = false;

  /** Resolves when it is registered. */
  static async start(
    targets: () => string[],
    turn: number,
    env: Record<string, string>,
  ): Promise<RealWorker> {
    const worker = new RealWorker(await Network.open(targets, turn), env);
    await until(() => worker.#workerId !== null || worker.#isGone, START_MS);
    if (worker.#isGone) throw new Error(`a worker exited at its start:\n${worker.lastLines}`);
    return worker;
  }

  private constructor(network: Network, env: Record<string, string>) {
    this.network = network;
    this.#process = spawn(process.execPath, ['workers/avatar/main.ts'], {
      env: {
        ...programEnv,
        CONTROL_URL: network.url,
        WORKER_SLOTS: String(SLOTS),
        DRAIN_SECONDS: '0',
        LOG_LEVEL: 'info',
        ...env,
      },
      // With an IPC channel, so that it ends with its parent.
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    });
    this.#gone = once(this.#process, 'exit').then(([code]) => {
      this.#isGone = true;
      network.close();
      return code as number | null;
    });
    createInterface({ input: this.#process.stdout! }).on('line', (line) => this.#read(line));
  }

  get pid(): number {
    return this.#process.pid!;
  }

  get workerId(): string {
    return this.#workerId!;
  }

  get isGone(): boolean {
    return this.#isGone;
  }

  get lastLines(): string {
    return this.#lines.join('\n');
  }

  signal(name: 'SIGSTOP' | 'SIGCONT' | 'SIGTERM'): void {
    if (!this.#isGone) process.kill(this.pid, name);
  }

  async kill(): Promise<void> {
    this.#process.kill('SIGKILL');
    await this.#gone;
  }

  /** Sends SIGTERM; resolves with the exit code. */
  stop(): Promise<number | null> {
    this.signal('SIGTERM');
    return this.#gone;
  }

  #read(text: string): void {
    this.#lines.push(text);
    if (this.#lines.length > LAST_LINES) this.#lines.shift();
    if (!text.startsWith('{')) return;
    const { msg = '', workerId, sessionId, epoch } = JSON.parse(text) as Line;
    if (msg === 'registered with the gateway') this.#workerId ??= workerId!;
    if (sessionId === undefined || epoch === undefined) return;
    if (msg === 'session accepted') this.deeds.push({ what: 'taken', sessionId, epoch });
    if (GIVEN_UP.has(msg)) this.deeds.push({ what: 'given up', sessionId, epoch });
  }
}
