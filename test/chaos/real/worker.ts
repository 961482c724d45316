import { startWorker, type WorkerProcess } from '../../support/processes/worker-process.ts';
import { Network } from '../network.ts';
import { WORKER_TOKEN } from '../names.ts';

/** A worker's action on a session, from its log. */
type Deed = { action: 'taken' | 'given up'; sessionId: string; epoch: number };

const SLOTS = 4;
const LAST_LINES = 40;
const GIVEN_UP = new Set(['session ended', 'session dropped', 'session returned']);

type Line = { msg?: string; workerId?: string; sessionId?: string; epoch?: number };

type Start = {
  targets: () => string[];
  turn: number;
  dataDir: string;
  env?: Record<string, string>;
};

/** An avatar worker as a process, with its own network. The caller ends it. */
export class RealWorker {
  static readonly slots = SLOTS;
  readonly network: Network;
  readonly deeds: Deed[] = [];
  readonly #lines: string[] = [];
  #process!: WorkerProcess;
  #workerId: string | null = null;
  #isGone = false;

  /** Resolves when it is registered. */
  static async start({ targets, turn, dataDir, env }: Start): Promise<RealWorker> {
    const worker = new RealWorker(await Network.open(targets, turn));
    await worker.#start(dataDir, env);
    return worker;
  }

  private constructor(network: Network) {
    this.network = network;
  }

  get pid(): number {
    return this.#process.pid;
  }

  get workerId(): string {
    return this.#workerId!;
  }

  get isGone(): boolean {
    return this.#isGone;
  }

  /** Resolves with its exit code; null when killed. */
  get exited(): Promise<number | null> {
    return this.#process.exited;
  }

  get lastLines(): string {
    return this.#lines.join('\n');
  }

  signal(name: 'SIGSTOP' | 'SIGCONT' | 'SIGTERM'): void {
    if (!this.#isGone) process.kill(this.pid, name);
  }

  kill(): Promise<void> {
    return this.#process.kill();
  }

  /** Sends SIGTERM; resolves with the exit code. */
  stop(): Promise<number | null> {
    this.signal('SIGTERM');
    return this.#process.exited;
  }

  async #start(dataDir: string, env: Record<string, string> = {}): Promise<void> {
    const settings = { WORKER_TOKEN, WORKER_SLOTS: String(SLOTS), DRAIN_SECONDS: '0', ...env };
    const onLine = (line: string) => this.#read(line);
    const service = { address: this.network.url, dataDir };
    this.#process = await startWorker(service, settings, { onLine });
    void this.#untilGone();
  }

  async #untilGone(): Promise<void> {
    await this.#process.exited;
    this.#isGone = true;
    this.network.close();
  }

  #read(text: string): void {
    this.#lines.push(text);
    if (this.#lines.length > LAST_LINES) this.#lines.shift();
    if (!text.startsWith('{')) return;
    const { msg = '', workerId, sessionId, epoch } = JSON.parse(text) as Line;
    if (msg === 'registered with the gateway') this.#workerId ??= workerId!;
    if (sessionId === undefined || epoch === undefined) return;
    if (msg === 'session accepted') this.deeds.push({ action: 'taken', sessionId, epoch });
    if (GIVEN_UP.has(msg)) this.deeds.push({ action: 'given up', sessionId, epoch });
  }
}
