import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { freePort } from '../processes/free-port.ts';
import type { RunningService } from '../processes/service.ts';
import { PATIENCE_MS } from '../patience.ts';
import { until } from '../until.ts';

/** An environment with hundreds of packages is installed first. */
const INSTALL_MS = 900_000;

type Joined = { url: string; token: string };

/** `npm run example -- NAME` against a running service, with ports of its own. Stop it. */
export class RunningExample {
  readonly #process: ChildProcess;
  readonly #exit: Promise<unknown>;
  readonly ports: { viewer: number; app: number; kiosk: number };
  #output = '';

  static async start(
    name: string,
    service: RunningService,
    env: Record<string, string> = {},
  ): Promise<RunningExample> {
    const [viewer, app, kiosk, bot] = await Promise.all([1, 2, 3, 4].map(freePort));
    const ports = { viewer: viewer!, app: app!, kiosk: kiosk! };
    return new RunningExample(name, ports, {
      ...process.env,
      DATA_DIR: service.dataDir,
      TROUPE_URL: service.address,
      LIVEKIT_URL: service.mediaServer.url,
      VIEWER_PORT: String(viewer),
      APP_PORT: String(app),
      KIOSK_PORT: String(kiosk),
      BOT_PORT: String(bot),
      ...env,
    });
  }

  private constructor(name: string, ports: RunningExample['ports'], env: NodeJS.ProcessEnv) {
    this.ports = ports;
    const args = ['--import', 'tsx', 'src/start/commands/example.ts', name];
    this.#process = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
    this.#exit = once(this.#process, 'exit');
    for (const stream of [this.#process.stdout, this.#process.stderr])
      stream!.on('data', (text) => (this.#output += text));
  }

  /** Everything that it has printed. */
  get output(): string {
    return this.#output;
  }

  /** Resolves with what it printed that matches. */
  async prints(pattern: RegExp, patienceMs = PATIENCE_MS): Promise<RegExpExecArray> {
    const isOver = () => this.#process.exitCode !== null || this.#process.signalCode !== null;
    await until(() => pattern.test(this.#output) || isOver(), patienceMs);
    const match = pattern.exec(this.#output);
    if (!match) throw new Error(`the example did not print ${pattern}:\n${this.#output}`);
    return match;
  }

  /** The page that shows rooms is served. */
  async isInstalled(): Promise<void> {
    await this.prints(/The (page|kiosk) is at/, INSTALL_MS);
  }

  /** As the page does that shows a new room. */
  async newRoom(): Promise<Joined> {
    const reply = await fetch(`http://127.0.0.1:${this.ports.viewer}/rooms`, { method: 'POST' });
    return (await reply.json()) as Joined;
  }

  /** The room in the link that it printed. */
  async printedRoom(): Promise<Joined> {
    const [link] = await this.prints(/http:\S+#url=\S+/);
    return roomIn(link);
  }

  async stop(): Promise<void> {
    this.#process.kill('SIGTERM');
    await this.#exit;
  }
}

export function roomIn(link: string): Joined {
  const parameters = new URLSearchParams(new URL(link).hash.slice(1));
  return { url: parameters.get('url')!, token: parameters.get('token')! };
}
