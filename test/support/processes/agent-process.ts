import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** One JSON line on a client's standard output. */
export type AgentEvent = { type: string; room?: string };

/** A published client in its own process. Stop it after the tests. */
export class AgentProcess {
  readonly #process: ChildProcess;
  readonly #exit: Promise<unknown>;
  readonly #events: AgentEvent[] = [];
  readonly #watchers = new Set<() => void>();
  #logged = '';
  #isOver = false;

  constructor(command: string, args: string[], options: { cwd: string; env: NodeJS.ProcessEnv }) {
    this.#process = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
    this.#exit = once(this.#process, 'exit');
    createInterface({ input: this.#process.stdout! }).on('line', (line) => {
      if (line.startsWith('{')) this.#events.push(JSON.parse(line) as AgentEvent);
      this.#look();
    });
    this.#process.stderr!.on('data', (text) => {
      this.#logged += text;
      this.#look();
    });
    this.#process.once('exit', () => {
      this.#isOver = true;
      this.#look();
    });
  }

  /** Resolves when its log matches. */
  async logs(what: RegExp): Promise<void> {
    await this.#until(() => what.test(this.#logged));
  }

  /** The next event of this type, in `room` if given, that was not taken yet. */
  async next<More extends object = object>(
    type: string,
    room?: string,
  ): Promise<AgentEvent & More> {
    const isMeant = (event: AgentEvent) => room === undefined || event.room === room;
    await this.#until(() =>
      this.#events.some(
        (event) => isMeant(event) && (event.type === type || event.type === 'failed'),
      ),
    );
    const at = this.#events.findIndex((event) => isMeant(event) && event.type === type);
    if (at < 0)
      throw new Error(`${JSON.stringify(this.#events.find(isMeant))}\n${this.#lastLogged}`);
    return this.#events.splice(at, 1)[0] as AgentEvent & More;
  }

  /** Events of this type that no test took. */
  left(type: string): AgentEvent[] {
    return this.#events.filter((event) => event.type === type);
  }

  async stop(): Promise<void> {
    this.#process.kill('SIGKILL');
    await this.#exit;
  }

  get #lastLogged(): string {
    return this.#logged.split('\n').slice(-60).join('\n');
  }

  #look(): void {
    for (const watch of this.#watchers) watch();
  }

  #until(isTrue: () => boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      const watch = () => {
        if (!isTrue() && !this.#isOver) return;
        this.#watchers.delete(watch);
        if (isTrue()) resolve();
        else reject(new Error(`the agent exited:\n${this.#lastLogged}`));
      };
      this.#watchers.add(watch);
      watch();
    });
  }
}
