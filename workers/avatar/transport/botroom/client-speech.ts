import type { Clock } from '#shared/clock.ts';
import type { PcmHeader } from '#protocol/botroom/headers.ts';
import { pcmMs } from '#protocol/botroom/headers.ts';
import type { MediaRecord } from '#protocol/botroom/records.ts';
import type { SpeechListener } from '../speech-link.ts';

/** A client that never flushes: what follows such a gap is another utterance. */
const GAP_MS = 2_000;

/** A place in the speech: the number of the utterance, from 1, and the time in it. */
export type SpeechPlace = { utterance: number; offsetMs: number };

type OpenUtterance = { stream: string; format: PcmHeader; lengthMs: number };

/**
 * Turns a client's `audio`, `flush` and `interrupt` records into utterances. The first audio begins
 * one; a flush, another format or a gap ends it. Audio on its way to an earlier worker is never
 * seen here, so an utterance may begin in the middle.
 */
export class ClientSpeech {
  readonly #clock: Clock;
  readonly #listener: Pick<SpeechListener, 'begin' | 'chunk' | 'end' | 'clear'>;
  #open: OpenUtterance | null = null;
  #utterances = 0;
  #cancelGap = () => {};

  constructor(clock: Clock, listener: Pick<SpeechListener, 'begin' | 'chunk' | 'end' | 'clear'>) {
    this.#clock = clock;
    this.#listener = listener;
  }

  /** Where the next audio belongs. */
  get place(): SpeechPlace {
    return this.#open
      ? { utterance: this.#utterances, offsetMs: this.#open.lengthMs }
      : { utterance: this.#utterances + 1, offsetMs: 0 };
  }

  audio(record: MediaRecord): void {
    const format = record.header as PcmHeader;
    if (record.blob.length === 0) return;
    if (this.#open && !isSame(this.#open.format, format)) this.flush();
    this.#open ??= this.#begin(format);
    this.#open.lengthMs += pcmMs(record);
    // Copied: the record is a view of a larger read buffer.
    this.#listener.chunk(this.#open.stream, new Uint8Array(record.blob));
    this.#cancelGap();
    this.#cancelGap = this.#clock.after(GAP_MS, () => this.flush());
  }

  flush(): void {
    const open = this.#forget();
    if (open) this.#listener.end(open.stream);
  }

  interrupt(): void {
    this.#forget();
    this.#listener.clear();
  }

  close(): void {
    this.#forget();
  }

  #begin(format: PcmHeader): OpenUtterance {
    const stream = `utterance ${++this.#utterances}`;
    this.#listener.begin(stream, {
      sampleRate: format.sample_rate,
      channels: format.num_channels,
    });
    return { stream, format, lengthMs: 0 };
  }

  #forget(): OpenUtterance | null {
    this.#cancelGap();
    const open = this.#open;
    this.#open = null;
    return open;
  }
}

const isSame = (a: PcmHeader, b: PcmHeader): boolean =>
  a.sample_rate === b.sample_rate && a.num_channels === b.num_channels;
