import { backoffMs, type Backoff } from '#shared/backoff.ts';
import { delay, type Clock } from '#shared/clock.ts';
import { newRecordId } from '#shared/ids.ts';
import type { Log } from '#shared/log.ts';
import type { CallLine } from '#protocol/call-brief.ts';
import { CallRefused, type CallControl } from './call-control.ts';

const RETRY: Backoff = { firstMs: 200, maxMs: 5_000 };
const MAX_CHARACTERS = 20_000;

type Entry = { id: string; line: Omit<CallLine, 'agoMs' | 'since'>; saidAt: number };

/** Sends spoken lines to the record, in order. Retries each until it is answered. */
export class Lines {
  readonly #control: Pick<CallControl, 'keep'>;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #waiting: Entry[] = [];
  readonly #stop = new AbortController();
  #sending: Promise<void> | null = null;
  /** The first saved line. The record dates the others by their distance from it. */
  #firstLine: Pick<Entry, 'id' | 'saidAt'> | null = null;

  constructor(control: Pick<CallControl, 'keep'>, clock: Clock, log: Log) {
    this.#control = control;
    this.#clock = clock;
    this.#log = log;
  }

  /** `saidAt`: start of the speech, by the clock's `elapsed`. */
  add(line: Entry['line'], saidAt: number): void {
    const text = line.text.trim().slice(0, MAX_CHARACTERS).toWellFormed();
    if (text === '' || this.#stop.signal.aborted) return;
    this.#waiting.push({ id: newRecordId(), line: { ...line, text }, saidAt });
    this.#sending ??= this.#send().finally(() => (this.#sending = null));
  }

  /** Resolves when all lines are saved, or after `waitMs`. */
  async kept(waitMs: number): Promise<void> {
    const timeout = Promise.withResolvers<void>();
    const cancel = this.#clock.after(waitMs, timeout.resolve);
    await Promise.race([this.#sending, timeout.promise]);
    cancel();
  }

  /** Drops unsaved lines. */
  async close(): Promise<void> {
    this.#stop.abort();
    await this.#sending;
    if (this.#waiting.length > 0)
      this.#log.error({ lines: this.#waiting.length }, 'lines of a call were lost');
    this.#waiting.length = 0;
  }

  async #send(): Promise<void> {
    const { signal } = this.#stop;
    let attempt = 0;
    while (this.#waiting.length > 0 && !signal.aborted) {
      const [entry] = this.#waiting as [Entry];
      try {
        await this.#control.keep(entry.id, this.#dated(entry), signal);
        this.#firstLine ??= entry;
        this.#waiting.shift();
        attempt = 0;
      } catch (error) {
        if (error instanceof CallRefused) {
          this.#log.error({ err: error }, 'a line of a call was refused');
          this.#waiting.shift();
          continue;
        }
        if (signal.aborted) return;
        this.#log.warn({ err: error }, 'failed to save a line of a call; retrying');
        await delay(this.#clock, backoffMs(++attempt, RETRY), signal).catch(() => {});
      }
    }
  }

  #dated({ line, saidAt }: Entry): CallLine {
    const firstLine = this.#firstLine;
    return {
      ...line,
      agoMs: Math.max(0, this.#clock.elapsed() - saidAt),
      ...(firstLine && { since: { lineId: firstLine.id, ms: saidAt - firstLine.saidAt } }),
    };
  }
}
