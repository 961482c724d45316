/*
 * Reads what a speech server answers, as it comes: WAV of any rate and sample format, and raw
 * samples. It decodes nothing that is compressed.
 */
import { sampleAt } from './samples.ts';
import { soundKind, type SampleFormat } from './sound-kind.ts';
import { readWavHead } from './wav-head.ts';

/** The answer is not sound that can be played. The message says what it is, for people. */
export class UnreadableSound extends Error {
  override readonly name = 'UnreadableSound';
}

/** A WAV header may hold a picture. */
const MAX_WAV_HEAD = 256 * 1024;
const MAX_RATE = 192_000;
const MIN_RATE = 4_000;
const MAX_CHANNELS = 16;

type Body = { format: SampleFormat; leftBytes: number };

/** One answer. Samples are mono. */
export class SoundReader {
  readonly #contentType: string;
  #bytes: Uint8Array<ArrayBuffer> = new Uint8Array();
  #body: Body | null = null;
  #isWav = false;

  constructor(contentType: string) {
    this.#contentType = contentType;
  }

  /** 0 until it is known, which is before the first sample. */
  get sampleRate(): number {
    return this.#body?.format.sampleRate ?? 0;
  }

  /** For people. */
  get formatName(): string {
    return `${this.#isWav ? 'WAV' : '16-bit PCM'} at ${this.sampleRate} Hz`;
  }

  /** Chunks may end anywhere. */
  push(chunk: Uint8Array): Int16Array<ArrayBuffer> {
    this.#append(chunk);
    return this.#take(false);
  }

  /** Nothing follows. */
  end(): Int16Array<ArrayBuffer> {
    return this.#take(true);
  }

  #append(chunk: Uint8Array): void {
    const bytes = new Uint8Array(this.#bytes.length + chunk.length);
    bytes.set(this.#bytes);
    bytes.set(chunk, this.#bytes.length);
    this.#bytes = bytes;
  }

  #take(isComplete: boolean): Int16Array<ArrayBuffer> {
    this.#body ??= this.#begin(isComplete);
    if (!this.#body) return new Int16Array();
    const { format, leftBytes } = this.#body;
    const frameBytes = (format.channels * format.bits) / 8;
    const frames = Math.floor(Math.min(this.#bytes.length, leftBytes) / frameBytes);
    const samples = new Int16Array(frames);
    const view = new DataView(this.#bytes.buffer);
    for (let frame = 0; frame < frames; frame += 1) {
      let sum = 0;
      for (let channel = 0; channel < format.channels; channel += 1)
        sum += sampleAt(view, frame * frameBytes + (channel * format.bits) / 8, format);
      samples[frame] = Math.max(-32_768, Math.min(32_767, Math.round(sum / format.channels)));
    }
    this.#body.leftBytes -= frames * frameBytes;
    // Chunks behind the samples of a WAV file are not sound.
    const isOver = this.#body.leftBytes < frameBytes;
    this.#bytes = isOver ? new Uint8Array() : this.#bytes.slice(frames * frameBytes);
    return samples;
  }

  /** Null: more must come first. */
  #begin(isComplete: boolean): Body | null {
    if (this.#bytes.length === 0) return null;
    if (!this.#isWav) {
      const kind = soundKind(this.#bytes, this.#contentType, isComplete);
      if (kind?.type === 'unreadable')
        throw new UnreadableSound(`it is ${kind.name}, not PCM or WAV`);
      if (kind?.type === 'raw') return bodyOf(kind.format, null);
      if (kind === null) return null;
      this.#isWav = true;
    }
    const head = this.#wavHead();
    if (head) {
      this.#bytes = this.#bytes.slice(head.dataAt);
      return bodyOf(head.format, head.dataBytes);
    }
    if (isComplete || this.#bytes.length > MAX_WAV_HEAD)
      throw new UnreadableSound('it is a WAV file without sound');
    return null;
  }

  #wavHead() {
    try {
      return readWavHead(this.#bytes);
    } catch (cause) {
      throw new UnreadableSound(
        `it is a WAV file that cannot be read: ${(cause as Error).message}`,
      );
    }
  }
}

function bodyOf(format: SampleFormat, dataBytes: number | null): Body {
  const { sampleRate, channels } = format;
  const isPlayable =
    sampleRate >= MIN_RATE && sampleRate <= MAX_RATE && channels >= 1 && channels <= MAX_CHANNELS;
  if (!isPlayable) throw new UnreadableSound(`it has ${sampleRate} Hz and ${channels} channels`);
  return { format, leftBytes: dataBytes ?? Infinity };
}
