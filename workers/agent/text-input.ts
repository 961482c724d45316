/*
 * Reads the texts that the user of a call types. A text stream has no length limit and need not
 * end, so this one stops reading a long text, an endless one, and all above the limits.
 */
import type { Clock } from '#shared/clock.ts';
import type { Log } from '#shared/log.ts';
import type { IgnoreReason } from '#protocol/room-terms.ts';
import { TextLimits, type TextBudget } from './text-limits.ts';

/** In characters; the rest of a longer text is ignored. */
export const MAX_TEXT = 4_000;
/** The media client ends longer streams. The longest text needs a quarter of it in any script. */
export const MAX_STREAM_BYTES = 64 * 1024;
const STREAM_MS = 10_000;
const MAX_OPEN_STREAMS = 4;
/** Ignored texts that follow faster, which no person types, are not reported. */
const REPORT_EVERY_MS = 200;

export type TextStream = AsyncIterable<string> & { close(): Promise<void> };

type TextInputOptions = {
  /** Identity of the user. Others are ignored. */
  userIdentity: string;
  /** Texts that an earlier worker accepted. */
  earlierTexts: number;
  budget: TextBudget;
  onText: (text: string) => void;
  onIgnored: (why: IgnoreReason) => void;
  clock: Clock;
  log: Log;
};

export class TextInput {
  readonly #options: TextInputOptions;
  readonly #limits: TextLimits;
  /** Cancels the deadlines of the open streams. */
  readonly #open = new Map<TextStream, () => void>();
  #reportedAt = -Infinity;

  constructor(options: TextInputOptions) {
    this.#options = options;
    this.#limits = new TextLimits(options);
  }

  receive(stream: TextStream, sender: string): void {
    if (sender !== this.#options.userIdentity) return void stream.close();
    const why = this.#open.size >= MAX_OPEN_STREAMS ? 'too_fast' : this.#limits.add();
    if (why === null) return void this.#read(stream);
    this.#report(why);
    void stream.close();
  }

  /** Ends the open streams. */
  async close(): Promise<void> {
    const streams = [...this.#open.keys()];
    for (const stream of streams) this.#forget(stream);
    await Promise.all(streams.map((stream) => stream.close()));
  }

  async #read(stream: TextStream): Promise<void> {
    const { clock, log, onText } = this.#options;
    const cancel = clock.after(STREAM_MS, () => {
      this.#forget(stream);
      this.#report('incomplete');
      void stream.close();
    });
    this.#open.set(stream, cancel);
    let text: string | null = '';
    try {
      for await (const part of stream) {
        text += part;
        if (text.length >= MAX_TEXT) break;
      }
    } catch (err) {
      log.warn({ err }, 'text of the user not received');
      text = null;
    }
    if (!this.#forget(stream)) return;
    if (text === null) this.#report('incomplete');
    else if (text !== '') onText(text.slice(0, MAX_TEXT).toWellFormed());
  }

  #report(why: IgnoreReason): void {
    const { clock, log, onIgnored } = this.#options;
    if (clock.elapsed() - this.#reportedAt < REPORT_EVERY_MS) return;
    this.#reportedAt = clock.elapsed();
    log.warn({ why }, 'text of the user ignored');
    onIgnored(why);
  }

  /** False if the stream was ended from here. */
  #forget(stream: TextStream): boolean {
    this.#open.get(stream)?.();
    return this.#open.delete(stream);
  }
}
