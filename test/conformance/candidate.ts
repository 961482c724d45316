import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { Tap } from './tap.ts';
import { within } from '../stage/time-limit.ts';

type CandidateOptions = {
  command: string;
  /** The control plane. */
  url: string;
  env: Record<string, string>;
  /** Replaces the version that the worker announces. Null: its own. */
  announcedProtocol: number | null;
};

/** Enough for interpreters that compile first. */
const START_MS = 60_000;
const LAST_LINES = 30;

/** A process of the worker under test, with its own tap. The owner kills it. */
export class Candidate {
  readonly tap: Tap;
  /** Its exit code; null when killed. */
  readonly exited: Promise<number | null>;
  hasExited = false;
  readonly #process: ChildProcess;
  #output: string[] = [];

  static async spawn({ command, url, env, announcedProtocol }: CandidateOptions) {
    const tap = await Tap.open(url);
    tap.announcedProtocol = announcedProtocol;
    return new Candidate(command, tap, env);
  }

  private constructor(command: string, tap: Tap, env: Record<string, string>) {
    this.tap = tap;
    // In its own process group: `kill` ends the children too.
    this.#process = spawn('sh', ['-c', `exec ${command}`], {
      env: { ...process.env, CONTROL_URL: tap.url, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    for (const stream of [this.#process.stdout!, this.#process.stderr!])
      stream.setEncoding('utf8').on('data', (text: string) => {
        this.#output = [...this.#output, ...text.split('\n').filter(Boolean)].slice(-LAST_LINES);
      });
    this.exited = once(this.#process, 'exit').then(([code]) => {
      this.hasExited = true;
      return code as number | null;
    });
  }

  /** Resolves when it is registered. */
  async registered(): Promise<void> {
    await within(START_MS, 'the worker registers', () => {
      if (this.hasExited) throw new Error('the worker exited before it registered');
      return this.tap.received('registered').length > 0;
    }).catch((cause: unknown) => {
      throw new Error(`${(cause as Error).message}\n${this.lastLines}`, { cause });
    });
  }

  get lastLines(): string {
    return this.#output.join('\n');
  }

  /** The first SIGTERM: drain. Only to the command itself, as from a process manager. */
  terminate(): void {
    this.#process.kill('SIGTERM');
  }

  /** `kill -9`, with its children. */
  async kill(): Promise<void> {
    try {
      process.kill(-this.#process.pid!, 'SIGKILL');
    } catch {
      // The whole group is gone already.
    }
    await this.exited;
    await this.tap.close();
  }
}
