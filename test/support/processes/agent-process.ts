import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** Events from a client's process: one JSON line each on standard output. */
export type Told = { type: string; room?: string };

/** A published client in its own process. Stop it after the tests. */
export class AgentProcess {
  readonly #process: ChildProcess;
  readonly #exit: Promise<unknown>;
  readonly #told: Told[] = [];
  readonly #watchers = new Set<() => void>();
  #logged = '';
  #isOver = false;

  constructor(command: string, args: string[], options: { cwd: string; env: NodeJS.ProcessEnv }) {
    this.#process = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
    this.#exit = once(this.#process, 'exit');
    createInterface({ input: this.#process.stdout! }).on('line', (line) => {
      if (line.startsWith('{')) this.#told.push(JSON.parse(line) as Told);
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
  async next<More extends object = object>(type: string, room?: string): Promise<Told & More> {
    const isMeant = (told: Told) => room === undefined || told.room === room;
    await this.#until(() =>
      this.#told.some((told) => isMeant(told) && (told.type === type || told.type === 'failed')),
    );
    const at = this.#told.findIndex((told) => isMeant(told) && told.type === type);
    if (at < 0) throw new Error(`${JSON.stringify(this.#told.find(isMeant))}\n${this.#lastLogged}`);
    return this.#told.splice(at, 1)[0] as Told & More;
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
