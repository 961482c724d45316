import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** One JSON line on a client's standard output, or a message of it. */
export type AgentEvent = { type: string; room?: string };

type ProcessOptions = { cwd: string; env: NodeJS.ProcessEnv; takesCommands?: boolean };

const { PATH, HOME } = process.env;

/** A published client in its own process. Stop it after the tests. */
export class AgentProcess {
  readonly exited: Promise<unknown>;
  readonly #process: ChildProcess;
  readonly #events: AgentEvent[] = [];
  readonly #watchers = new Set<() => void>();
  #logged = '';
  #isOver = false;

  /** `takesCommands`: a Node program, which `tell` reaches. */
  constructor(
    command: string,
    args: string[],
    { cwd, env, takesCommands = false }: ProcessOptions,
  ) {
    const channel = takesCommands ? ['ipc' as const] : [];
    this.#process = spawn(command, args, {
      cwd,
      env: { PATH, HOME, PYTHONDONTWRITEBYTECODE: '1', ...env },
      stdio: ['ignore', 'pipe', 'pipe', ...channel],
    });
    this.exited = once(this.#process, 'exit');
    this.#process.on('message', (event) => this.#take(event as AgentEvent));
    createInterface({ input: this.#process.stdout! }).on('line', (line) => {
      if (line.startsWith('{')) this.#take(JSON.parse(line) as AgentEvent);
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

  get isOver(): boolean {
    return this.#isOver;
  }

  tell(command: object): void {
    this.#process.send(command);
  }

  /** Resolves when its log matches. */
  async logs(pattern: RegExp): Promise<void> {
    await this.#until(() => pattern.test(this.#logged));
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
  remainingEvents(type: string): AgentEvent[] {
    return this.#events.filter((event) => event.type === type);
  }

  async stop(): Promise<void> {
    this.#process.kill('SIGKILL');
    await this.exited;
  }

  get #lastLogged(): string {
    return this.#logged.split('\n').slice(-60).join('\n');
  }

  #take(event: AgentEvent): void {
    this.#events.push(event);
    this.#look();
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
