/*
 * Extracts the text of untrusted PDFs. Each is read in its own process, which is killed at its time
 * or memory limit. A thread does not suffice: its limits exclude buffers, and thirty million
 * numbers in an array of a PDF ended the whole process.
 *
 * Each PDF first gets a short time in one process, in turns by account. The few that need more time
 * or memory are read again in another process, so that no PDF waits for the slow ones of others.
 */
import { fork, type ChildProcess } from 'node:child_process';
import type { Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { Clock } from '#shared/clock.ts';
import { DECODER_FLAGS } from '#shared/process/decoder-process.ts';
import { Fault } from '../errors.ts';
import { FairTurns, stopping } from '../work/fair-turns.ts';
import { Places } from '../work/places.ts';
import type { PdfAnswer, PdfLimits, PdfMessage, PdfRefusal } from './pdf-messages.ts';

export const PDF_LIMITS: PdfLimits = {
  pages: 5_000,
  characters: 16 * 1024 ** 2,
  memoryMiB: 320,
  withinMs: 20_000,
};

/** Limits of the first try. Starting the process takes half a second of it. */
export const FIRST_TRY = { memoryMiB: 192, withinMs: 3_000 };

/** PDFs of one account that are read or wait. */
export const PDFS_PER_ACCOUNT = 2;

const WAIT_MS = 40_000;
/** Long reads of other accounts that another one waits for. */
const LONG_READS_AHEAD = 3;
const BUSY = 'Other PDFs are being read. Please submit this one again shortly.';

const INCOMPLETE =
  'The PDF is damaged or ends early, so part of its text may be missing. If so, upload the whole PDF as a new file.';

const MAIN = fileURLToPath(new URL('./pdf-process.ts', import.meta.url));

/** Characters of error output kept for the error message. */
const MAX_STDERR = 2000;

export class PdfReader {
  readonly #clock: Clock;
  readonly #limits: PdfLimits;
  readonly #places = new Places({
    perAccount: PDFS_PER_ACCOUNT,
    refusal: `${PDFS_PER_ACCOUNT} PDFs of this account are being read. Submit this one when one of them is done.`,
    retryAfterSeconds: WAIT_MS / 1000,
  });
  readonly #firstTries: FairTurns;
  readonly #longReads: FairTurns;
  readonly #closing = new AbortController();
  readonly #reading = new Set<Promise<unknown>>();

  constructor(clock: Clock, limits: PdfLimits = PDF_LIMITS) {
    this.#clock = clock;
    this.#limits = limits;
    const turns = { running: 1, refusal: BUSY };
    this.#firstTries = new FairTurns(clock, { ...turns, waitMs: WAIT_MS });
    const longWaitMs = LONG_READS_AHEAD * limits.withinMs;
    this.#longReads = new FairTurns(clock, { ...turns, waitMs: longWaitMs });
  }

  /**
   * Opens the PDF once or twice. Warns of a PDF of which only a part can be read. Throws an
   * `invalid_parameter` fault that says what is wrong with it, or like `Places.hold` and
   * `FairTurns.take`.
   */
  async read(
    accountId: string,
    open: () => AsyncIterable<Uint8Array>,
    warn: (warning: string) => void = () => {},
  ): Promise<string> {
    const reading = this.#places.hold(accountId, () => this.#readInTurn(accountId, open, warn));
    this.#reading.add(reading);
    try {
      return await reading;
    } finally {
      this.#reading.delete(reading);
    }
  }

  async close(): Promise<void> {
    this.#firstTries.close();
    this.#longReads.close();
    this.#closing.abort();
    await Promise.allSettled(this.#reading);
  }

  async #readInTurn(
    accountId: string,
    open: () => AsyncIterable<Uint8Array>,
    warn: (warning: string) => void,
  ): Promise<string> {
    const { memoryMiB, withinMs } = this.#limits;
    const limits = {
      ...this.#limits,
      memoryMiB: Math.min(memoryMiB, FIRST_TRY.memoryMiB),
      withinMs: Math.min(withinMs, FIRST_TRY.withinMs),
    };
    const firstAnswer = await this.#firstTries.take(accountId, () => this.#read(open(), limits));
    const { type } = firstAnswer;
    const isLarge =
      type === 'refused' && (firstAnswer.why === 'time' || firstAnswer.why === 'memory');
    const answer = isLarge
      ? await this.#longReads.take(accountId, () => this.#read(open(), this.#limits))
      : firstAnswer;
    if (answer.type === 'refused') throw refusal(answer.why, this.#limits);
    if (answer.isIncomplete) warn(INCOMPLETE);
    return answer.text;
  }

  async #read(pdf: AsyncIterable<Uint8Array>, limits: PdfLimits): Promise<PdfAnswer> {
    const { signal } = this.#closing;
    if (signal.aborted) throw stopping();

    const child = fork(MAIN, [JSON.stringify(limits)], {
      stdio: ['pipe', 'ignore', 'pipe', 'ipc'],
      execArgv: DECODER_FLAGS,
      env: {},
    });
    const exit = new Promise((resolve) => child.once('close', resolve).once('error', resolve));
    const isLate = Promise.withResolvers<PdfAnswer>();
    const cancel = this.#clock.after(limits.withinMs, () =>
      isLate.resolve({ type: 'refused', why: 'time' }),
    );
    const end = () => child.kill('SIGKILL');
    signal.addEventListener('abort', end);
    try {
      const answering = answerOf(child);
      const feeding = feed(pdf, child.stdin as Writable, answering);
      return await Promise.race([isLate.promise, feeding.then(() => answering)]);
    } catch (error) {
      if (!signal.aborted) throw error;
      throw stopping();
    } finally {
      cancel();
      signal.removeEventListener('abort', end);
      end();
      await exit;
    }
  }
}

const refusal = (why: PdfRefusal, { pages, characters, memoryMiB, withinMs }: PdfLimits): Fault => {
  const details: Record<PdfRefusal, string> = {
    no_text:
      'The PDF has no text: its pages are probably pictures. Recognize their text (OCR) and upload the result, or create a text file instead.',
    unreadable: 'The uploaded bytes are not a PDF, or it is damaged.',
    encrypted: 'The PDF is encrypted. Upload it without a password.',
    pages: `The PDF has more than ${pages} pages.`,
    characters: `The PDF holds more than ${characters} characters of text.`,
    memory: `Reading the PDF takes more than ${memoryMiB} MiB of memory.`,
    time: `Reading the PDF takes more than ${withinMs / 1000} seconds.`,
  };
  return new Fault('invalid_parameter', { detail: details[why] });
};

async function feed(
  pdf: AsyncIterable<Uint8Array>,
  stdin: Writable,
  answering: Promise<PdfAnswer>,
): Promise<void> {
  // A write fails when the process has ended; `answerOf` reports why.
  stdin.on('error', () => {});
  for await (const bytes of pdf) {
    if (!stdin.writable) return;
    if (stdin.write(bytes)) continue;
    await Promise.race([new Promise((resolve) => stdin.once('drain', resolve)), answering]);
  }
  stdin.end();
}

function answerOf(child: ChildProcess): Promise<PdfAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<PdfAnswer>();
  let stderr = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(-MAX_STDERR);
  });
  const parts: string[] = [];
  child.on('message', (message: PdfMessage) => {
    if (message.type === 'refused') return resolve(message);
    parts.push(message.text);
    if (message.type === 'text') resolve({ ...message, text: parts.join('') });
  });
  child.once('error', reject);
  child.once('close', (code, signal) => {
    // Out of memory, the engine or the system kills the process before it can answer.
    const isCrash = signal !== null || (code ?? 0) > 127;
    if (isCrash) resolve({ type: 'refused', why: 'memory' });
    else reject(new Error(`PDF process exited with ${code}: ${stderr}`));
  });
  // After a timeout no caller awaits it; avoid an unhandled rejection.
  promise.catch(() => {});
  return promise;
}
