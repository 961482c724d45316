import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { backoffMs, type Backoff } from '#shared/backoff.ts';
import type { Clock } from '#shared/clock.ts';
import type { Log } from '#shared/log.ts';
import type { Sound, Voice } from './voice.ts';

const PROGRAM = fileURLToPath(new URL('natural_voice.py', import.meta.url));
const RESTART: Backoff = { firstMs: 500, maxMs: 60_000 };
/** Longer than any sentence takes, on a busy machine too. */
const ANSWER_MS = 10_000;

type Reply = { ready?: true; id?: number; rate?: number; pcm?: string; failed?: string };

/**
 * The natural English voice: a Python program that speaks lines of JSON.
 *
 * starting  the program loads its model               -> ready when it says so; waiting when it ends
 * ready     sentences are spoken                      -> waiting when it ends: what it owes fails
 * waiting   until it is started again                 -> starting
 * closed    for good
 */
export class HibariVoice implements Voice {
  readonly name = 'hibari';
  readonly #python: string;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #waiting = new Map<number, PromiseWithResolvers<Sound>>();
  #process: ChildProcess | null = null;
  #isReady = false;
  #isClosed = false;
  #failures = 0;
  #lastId = 0;
  #cancelRestart = () => {};

  /** `python`: one that has the package. */
  constructor(python: string, clock: Clock, log: Log) {
    this.#python = python;
    this.#clock = clock;
    this.#log = log;
    this.#start();
  }

  get isReady(): boolean {
    return this.#isReady;
  }

  get pid(): number | undefined {
    return this.#process?.pid;
  }

  async *speak(sentence: string, signal: AbortSignal): AsyncIterable<Sound> {
    if (!this.#isReady) throw new Error('the natural voice is not there');
    const id = ++this.#lastId;
    const answer = Promise.withResolvers<Sound>();
    this.#waiting.set(id, answer);
    const onAbort = () => answer.reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    const cancel = this.#clock.after(ANSWER_MS, () =>
      answer.reject(new Error('the natural voice took too long')),
    );
    this.#process?.stdin?.write(`${JSON.stringify({ id, text: sentence })}\n`);
    try {
      yield await answer.promise;
    } finally {
      cancel();
      this.#waiting.delete(id);
      signal.removeEventListener('abort', onAbort);
    }
  }

  close(): void {
    this.#isClosed = true;
    this.#cancelRestart();
    this.#process?.kill('SIGKILL');
  }

  #start(): void {
    const child = spawn(this.#python, ['-u', PROGRAM], { stdio: ['pipe', 'pipe', 'pipe'] });
    this.#process = child;
    let lastWords = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      lastWords = `${lastWords}${text}`.slice(-500);
    });
    // Its end is told by `close`.
    child.stdin.on('error', () => {});
    createInterface({ input: child.stdout }).on('line', (line) => this.#hear(line));
    child.on('error', (error) => (lastWords = error.message));
    child.on('close', (code, signal) => this.#ended(`${signal ?? `exit ${code}`}: ${lastWords}`));
  }

  #hear(line: string): void {
    const reply = parse(line);
    if (reply?.ready) {
      this.#isReady = true;
      this.#failures = 0;
      this.#log.info('the natural voice is ready');
    }
    const waiting = this.#waiting.get(reply?.id ?? 0);
    if (reply?.pcm !== undefined && reply.rate !== undefined)
      waiting?.resolve({ samples: samplesOf(reply.pcm), sampleRate: reply.rate });
    else waiting?.reject(new Error(`the natural voice failed: ${reply?.failed}`));
  }

  #ended(how: string): void {
    this.#isReady = false;
    this.#process = null;
    for (const { reject } of this.#waiting.values()) reject(new Error('the natural voice died'));
    if (this.#isClosed) return;
    this.#log.error({ how }, 'the natural voice ended; it is started again');
    this.#cancelRestart = this.#clock.after(backoffMs(++this.#failures, RESTART), () =>
      this.#start(),
    );
  }
}

/** A copy: a buffer from the pool may begin at an odd byte. */
const samplesOf = (base64: string): Int16Array<ArrayBuffer> =>
  new Int16Array(Uint8Array.from(Buffer.from(base64, 'base64')).buffer);

function parse(line: string): Reply | null {
  try {
    return JSON.parse(line) as Reply;
  } catch {
    // Something that a library prints.
    return null;
  }
}
