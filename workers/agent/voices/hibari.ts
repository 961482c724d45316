import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { backoffMs, type Backoff } from '#shared/backoff.ts';
import { childEnvironment } from '#shared/process/child-environment.mjs';
import type { Clock } from '#shared/clock.ts';
import type { Log } from '#shared/log.ts';
import type { Sound, Voice } from './voice.ts';

const PROGRAM = fileURLToPath(new URL('natural_voice.py', import.meta.url));
const RESTART: Backoff = { firstMs: 500, maxMs: 60_000 };
/** Longer than any sentence takes, even on a busy machine. */
const ANSWER_MS = 10_000;

type Reply = { ready?: true; id?: number; rate?: number; pcm?: string; failed?: string };

type State =
  /** The program loads its model. */
  | { type: 'starting'; child: ChildProcess }
  | { type: 'ready'; child: ChildProcess }
  /** The program has exited and is restarted after a delay. */
  | { type: 'waiting'; cancel: () => void }
  | { type: 'closed' };

/**
 * The natural English voice: a Python program (natural_voice.py) that exchanges JSON lines. Owns
 * the process.
 */
export class HibariVoice implements Voice {
  readonly name = 'hibari';
  readonly #python: string;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #waiting = new Map<number, PromiseWithResolvers<Sound>>();
  #state: State;
  #failures = 0;
  #lastId = 0;

  /** `python`: an interpreter with the `hibari` package. */
  constructor(python: string, clock: Clock, log: Log) {
    this.#python = python;
    this.#clock = clock;
    this.#log = log;
    this.#state = this.#start();
  }

  get isReady(): boolean {
    return this.#state.type === 'ready';
  }

  get pid(): number | undefined {
    return 'child' in this.#state ? this.#state.child.pid : undefined;
  }

  async *speak(sentence: string, signal: AbortSignal): AsyncIterable<Sound> {
    if (this.#state.type !== 'ready') throw new Error('the natural voice is not ready');
    const { child } = this.#state;
    const id = ++this.#lastId;
    const answer = Promise.withResolvers<Sound>();
    this.#waiting.set(id, answer);
    const onAbort = () => answer.reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    const cancel = this.#clock.after(ANSWER_MS, () =>
      answer.reject(new Error('the natural voice timed out')),
    );
    child.stdin?.write(`${JSON.stringify({ id, text: sentence })}\n`);
    try {
      yield await answer.promise;
    } finally {
      cancel();
      this.#waiting.delete(id);
      signal.removeEventListener('abort', onAbort);
    }
  }

  close(): void {
    const previousState = this.#state;
    this.#state = { type: 'closed' };
    if (previousState.type === 'waiting') previousState.cancel();
    if ('child' in previousState) previousState.child.kill('SIGKILL');
  }

  #start(): State {
    const child = spawn(this.#python, ['-u', PROGRAM], {
      stdio: ['pipe', 'pipe', 'pipe'],
      env: childEnvironment(process.env),
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
    return { type: 'starting', child };
  }

  #onReply(child: ChildProcess, line: string): void {
    const reply = parse(line);
    if (reply?.ready && this.#state.type === 'starting' && this.#state.child === child) {
      this.#state = { type: 'ready', child };
      this.#failures = 0;
      this.#log.info('the natural voice is ready');
    }
    const waiting = this.#waiting.get(reply?.id ?? 0);
    if (reply?.pcm !== undefined && reply.rate !== undefined)
      waiting?.resolve({ samples: samplesOf(reply.pcm), sampleRate: reply.rate });
    else waiting?.reject(new Error(`the natural voice failed: ${reply?.failed}`));
  }

  #onEnd(how: string): void {
    for (const { reject } of this.#waiting.values()) reject(new Error('the natural voice exited'));
    if (this.#state.type === 'closed') return;
    this.#log.error({ how }, 'the natural voice exited and will be restarted');
    const cancel = this.#clock.after(backoffMs(++this.#failures, RESTART), () => {
      this.#state = this.#start();
    });
    this.#state = { type: 'waiting', cancel };
  }
}

/** Copies, because a pooled buffer may start at an odd offset. */
const samplesOf = (base64: string): Int16Array<ArrayBuffer> =>
  new Int16Array(Uint8Array.from(Buffer.from(base64, 'base64')).buffer);

function parse(line: string): Reply | null {
  try {
    return JSON.parse(line) as Reply;
  } catch {
    // Output of a library.
    return null;
  }
}
