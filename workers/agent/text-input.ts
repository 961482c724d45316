/*
 * Reads the texts that the user of a call types. A text stream has no length limit and need not
 * end, so this one stops reading a long text, an endless one, and all above the limits.
 */
import type { Clock } from '#shared/clock.ts';
import type { Log } from '#shared/log.ts';
import { TextLimits } from './text-limits.ts';

/** In characters; the rest of a longer text is ignored. */
export const MAX_TEXT = 4_000;
/** The media client ends longer streams. The longest text needs a quarter of it in any script. */
export const MAX_STREAM_BYTES = 64 * 1024;
const STREAM_MS = 10_000;
const MAX_OPEN_STREAMS = 4;

export type TextStream = AsyncIterable<string> & { close(): Promise<void> };

type TextInputOptions = {
  /** Identity of the user. Others are ignored. */
  userIdentity: string;
  /** Texts that an earlier worker accepted. */
  earlierTexts: number;
  onText: (text: string) => void;
  clock: Clock;
  log: Log;
};

export class TextInput {
  readonly #options: TextInputOptions;
  readonly #limits: TextLimits;
  /** Cancels the deadlines of the open streams. */
  readonly #open = new Map<TextStream, () => void>();

  constructor(options: TextInputOptions) {
    this.#options = options;
    this.#limits = new TextLimits(options.clock, options.earlierTexts);
  }

  receive(stream: TextStream, sender: string): void {
    const { userIdentity, log } = this.#options;
    if (sender !== userIdentity) return void stream.close();
    if (this.#open.size >= MAX_OPEN_STREAMS || !this.#limits.accept()) {
      log.warn('text of the user ignored: too many');
      return void stream.close();
    }
    void this.#read(stream);
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
      log.warn('text of the user ignored: its end did not come');
      void stream.close();
    });
    this.#open.set(stream, cancel);
    let text = '';
    try {
      for await (const part of stream) {
        text += part;
        if (text.length >= MAX_TEXT) break;
      }
    } catch (err) {
      log.warn({ err }, 'text of the user not received');
      text = '';
    }
    if (this.#forget(stream) && text !== '') onText(text.slice(0, MAX_TEXT).toWellFormed());
  }

  /** False if the stream was ended from here. */
  #forget(stream: TextStream): boolean {
    this.#open.get(stream)?.();
    return this.#open.delete(stream);
  }
}
