import type { Clock } from '#shared/clock.ts';
import type { Log } from '#shared/log.ts';
import {
  AUDIBLE,
  isSpeechFormat,
  peakOf,
  SPEECH_PAUSE_MS,
  type SpeechFormat,
} from '#protocol/audio.ts';
import type { PipecatFrame } from '#protocol/pipecat/frames.ts';
import type { SpeechListener } from '../speech-link.ts';
import { withoutWavHeader } from './wav-header.ts';

/** A bot silent for this long has ended its utterance. Longer than a hitch of a network. */
const GAP_MS = 300;
/** With more than this unplayed, speech arrives faster than real time and contains its pauses. */
const BURST_MS = 500;
/** Unplayed speech, to limit memory. */
const MAX_AHEAD_MS = 120_000;
/** A bot with music in the background is never silent. */
const MAX_SEGMENT_MS = 5 * 60_000;
const BYTES_PER_SAMPLE = 2;

type Audio = Extract<PipecatFrame, { type: 'audio' }>;
type Segment = SpeechFormat & { stream: string; receivedMs: number; quietMs: number };

type Parts = {
  clock: Clock;
  log: Log;
  listener: Pick<SpeechListener, 'begin' | 'chunk' | 'end'>;
};

/**
 * Cuts a bot's audio into segments. Its chunks have no end: most bots send each when it is due,
 * others a whole utterance at once. A segment begins with the first audible chunk. The first of
 * these ends it:
 *   the bot says that it stopped speaking,
 *   GAP_MS without a chunk,
 *   SPEECH_PAUSE_MS of silence in chunks that arrive when they are due,
 *   another format, or MAX_SEGMENT_MS.
 * Silence between segments is not played, so delays of the network do not add up.
 */
export class BotSpeech {
  readonly #parts: Parts;
  #segment: Segment | null = null;
  #count = 0;
  #cancelGap = () => {};
  /** When all that was received will have been played. */
  #playsUntil = -Infinity;
  readonly #warned = new Set<string>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  hear({ audio, sampleRate, channels }: Audio): void {
    if (!isSpeechFormat({ sampleRate, channels }))
      return this.#warn({ sampleRate, channels }, 'unsupported audio format of the bot, ignored');
    const pcm = wholeFrames(withoutWavHeader(audio), channels);
    if (pcm.length === 0) return;
    const isAudible = peakOf(samplesOf(pcm)) >= AUDIBLE;
    if (this.#segment && !isSame(this.#segment, { sampleRate, channels })) this.end();
    if (!this.#segment && !isAudible) return;
    if (this.#aheadMs > MAX_AHEAD_MS)
      return this.#warn({}, 'speech of the bot dropped: too far ahead of what was played');
    this.#segment ??= this.#begin({ sampleRate, channels });
    this.#receive(this.#segment, pcm, isAudible);
  }

  /** The utterance is complete. */
  end(): void {
    const segment = this.#segment;
    this.#forget();
    if (segment) this.#parts.listener.end(segment.stream);
  }

  /** All speech was dropped. */
  cut(): void {
    this.#forget();
    this.#playsUntil = -Infinity;
  }

  #forget(): void {
    this.#cancelGap();
    this.#segment = null;
  }

  get #aheadMs(): number {
    return this.#playsUntil - this.#parts.clock.elapsed();
  }

  #begin(format: SpeechFormat): Segment {
    const stream = `bot ${++this.#count}`;
    this.#parts.listener.begin(stream, format);
    return { ...format, stream, receivedMs: 0, quietMs: 0 };
  }

  #receive(segment: Segment, pcm: Uint8Array, isAudible: boolean): void {
    const { clock, listener } = this.#parts;
    const ms = (pcm.length / (BYTES_PER_SAMPLE * segment.channels * segment.sampleRate)) * 1000;
    segment.receivedMs += ms;
    segment.quietMs = isAudible ? 0 : segment.quietMs + ms;
    this.#playsUntil = Math.max(this.#playsUntil, clock.elapsed()) + ms;
    listener.chunk(segment.stream, pcm);
    this.#cancelGap();
    const isSilent = segment.quietMs >= SPEECH_PAUSE_MS && this.#aheadMs < BURST_MS;
    if (isSilent || segment.receivedMs >= MAX_SEGMENT_MS) this.end();
    else this.#cancelGap = clock.after(GAP_MS, () => this.end());
  }

  /** Once per text. */
  #warn(fields: object, text: string): void {
    if (this.#warned.has(text)) return;
    this.#warned.add(text);
    this.#parts.log.warn(fields, text);
  }
}

const isSame = (a: SpeechFormat, b: SpeechFormat): boolean =>
  a.sampleRate === b.sampleRate && a.channels === b.channels;

const wholeFrames = (pcm: Uint8Array, channels: number): Uint8Array =>
  pcm.subarray(0, pcm.length - (pcm.length % (BYTES_PER_SAMPLE * channels)));

/** A copy if the bytes lie at an odd address. A Buffer's own `slice` copies nothing. */
function samplesOf(pcm: Uint8Array): Int16Array {
  const isAligned = pcm.byteOffset % BYTES_PER_SAMPLE === 0;
  const { buffer, byteOffset } = isAligned ? pcm : new Uint8Array(pcm);
  return new Int16Array(buffer, byteOffset, pcm.length / BYTES_PER_SAMPLE);
}
