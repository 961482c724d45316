import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { backoffMs, type Backoff } from '#shared/backoff.ts';
import type { Clock } from '#shared/clock.ts';
import type { Log } from '#shared/log.ts';
import { childEnvironment } from '#shared/process/child-environment.mjs';

const RESTART: Backoff = { firstMs: 500, maxMs: 60_000 };

const MODEL_SETTINGS = {
  // onnxruntime otherwise reports to its maker.
  ORT_DISABLE_TELEMETRY: '1',
  // Its threads spin for a while after each product of matrices, and slow the models down.
  OPENBLAS_NUM_THREADS: '1',
};

/** What every program writes: `ready` once, then an answer or `failed` for each `id`. */
type Reply = { ready?: true; id?: number; failed?: string };

/** Facts that the program tells with `ready`. */
type Facts = Readonly<Record<string, unknown>>;

type State =
  /** The program loads its model. */
  | { type: 'starting'; child: ChildProcess }
  | { type: 'ready'; child: ChildProcess }
  /** The program has exited and is restarted after a delay. */
  | { type: 'waiting'; cancel: () => void }
  | { type: 'closed' };

type LineProgramOptions = {
  /** For messages, such as "natural voice". */
  name: string;
  command: string;
  args: readonly string[];
  /**
   * Longest wait for an answer. A program that loads, or writes nothing while requests wait, for
   * longer than its limit hangs and is replaced.
   */
  answerMs: number;
  loadMs: number;
  onReady?: (facts: Facts) => void;
  clock: Clock;
  log: Log;
};

/**
 * A child process that exchanges JSON lines: requests with an `id` on its standard input, answers
 * on its standard output. Owns the process, and restarts it when it exits.
 */
export class LineProgram<Answer extends object> {
  readonly #options: LineProgramOptions;
  /** Requests that the program has not answered, including those that were given up. */
  readonly #unanswered = new Map<number, PromiseWithResolvers<Answer>>();
  #cancelWatch = () => {};
  #state: State;
  #failures = 0;
  #lastId = 0;

  constructor(options: LineProgramOptions) {
    this.#options = options;
    this.#state = this.#start();
  }

  get isReady(): boolean {
    return this.#state.type === 'ready';
  }

  get pid(): number | undefined {
    return 'child' in this.#state ? this.#state.child.pid : undefined;
  }

  /** Rejects if the program fails, exits, or does not answer in time. */
  async request(body: object, signal?: AbortSignal): Promise<Answer> {
    const { name, clock, answerMs } = this.#options;
    signal?.throwIfAborted();
    if (this.#state.type !== 'ready') throw new Error(`the ${name} is not ready`);
    const { child } = this.#state;
    const id = ++this.#lastId;
    const answer = Promise.withResolvers<Answer>();
    const onAbort = () => answer.reject(signal?.reason);
    signal?.addEventListener('abort', onAbort, { once: true });
    const cancel = clock.after(answerMs, () => answer.reject(new Error(`the ${name} timed out`)));
    if (this.#unanswered.size === 0) this.#watch(child, answerMs);
    this.#unanswered.set(id, answer);
    child.stdin?.write(`${JSON.stringify({ id, ...body })}\n`);
    try {
      return await answer.promise;
    } finally {
      cancel();
      signal?.removeEventListener('abort', onAbort);
    }
  }

  close(): void {
    const previousState = this.#state;
    this.#state = { type: 'closed' };
    this.#cancelWatch();
    if (previousState.type === 'waiting') previousState.cancel();
    if ('child' in previousState) previousState.child.kill('SIGKILL');
  }

  #start(): State {
    const { command, args, loadMs } = this.#options;
    const child = spawn(command, args, {
      stdio: ['pipe', 'pipe', 'pipe'],
      env: { ...childEnvironment(process.env), ...MODEL_SETTINGS },
    });
    let lastWords = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      lastWords = `${lastWords}${text}`.slice(-500);
    });
    // The `close` event reports the end.
    child.stdin.on('error', () => {});
    createInterface({ input: child.stdout }).on('line', (line) => this.#onReply(child, line));
    child.on('error', (error) => (lastWords = error.message));
    child.on('close', (code, signal) => this.#onEnd(`${signal ?? `exit ${code}`}: ${lastWords}`));
    this.#watch(child, loadMs);
    return { type: 'starting', child };
  }

  #onReply(child: ChildProcess, line: string): void {
    const reply = parse(line);
    if (reply?.ready && this.#state.type === 'starting') {
      this.#state = { type: 'ready', child };
      this.#cancelWatch();
      this.#options.log.info(`the ${this.#options.name} is ready`);
      this.#options.onReady?.(reply);
    }
    const answer = this.#unanswered.get(reply?.id ?? 0);
    if (!reply || !answer) return;
    this.#failures = 0;
    this.#unanswered.delete(reply.id!);
    if (this.#unanswered.size > 0) this.#watch(child, this.#options.answerMs);
    else this.#cancelWatch();
    if (reply.failed === undefined) answer.resolve(reply as Answer);
    else answer.reject(new Error(`the ${this.#options.name} failed: ${reply.failed}`));
  }

  /** Ends a program that hangs; the end restarts it. */
  #watch(child: ChildProcess, limitMs: number): void {
    this.#cancelWatch();
    this.#cancelWatch = this.#options.clock.after(limitMs, () => child.kill('SIGKILL'));
  }

  #onEnd(how: string): void {
    const { name, clock, log } = this.#options;
    this.#cancelWatch();
    for (const { reject } of this.#unanswered.values()) reject(new Error(`the ${name} exited`));
    this.#unanswered.clear();
    if (this.#state.type === 'closed') return;
    log.error({ how }, `the ${name} exited and will be restarted`);
    const cancel = clock.after(backoffMs(++this.#failures, RESTART), () => {
      this.#state = this.#start();
    });
    this.#state = { type: 'waiting', cancel };
  }
}

function parse(line: string): Reply | null {
  try {
    return JSON.parse(line) as Reply;
  } catch {
    // Output of a library.
    return null;
  }
}
