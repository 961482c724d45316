import { AudioFrame, AudioResampler } from '@livekit/rtc-node';
import type { Clock } from '#shared/clock.ts';
import { splitSentences, toSentences } from '#protocol/voice/speakable.ts';
import { spokenText } from './markup/spoken-text.ts';
import type { Utterance } from './utterance.ts';
import type { Sound, Voice } from '../voices/voice.ts';

/** One rate for all speech: it must not change within an utterance, even if the voice does. */
export const SPEECH_RATE = 24_000;
/** A tenth of a second. */
const FRAME_SAMPLES = SPEECH_RATE / 10;

/** Key in a frame's user data: its utterance. */
export const UTTERANCE = 'troupe.utterance';

/** Speaks streamed text sentence by sentence, and records the sentences in the utterance. */
export async function* speakText(
  text: AsyncIterable<string>,
  {
    utterance,
    voice,
    filler,
    clock,
    signal,
  }: {
    utterance: Utterance;
    voice: Voice;
    /** A piece that does not count as the first text. */
    filler?: string;
    clock: Clock;
    signal: AbortSignal;
  },
): AsyncGenerator<AudioFrame> {
  const noted = notePieces(text, (piece) => {
    if (piece !== filler) utterance.firstTextAt ??= clock.elapsed();
  });
  for await (const sentence of sentencesOf(spokenText(noted))) {
    if (signal.aborted) return;
    const spokenSentence = { text: sentence, seconds: 0 };
    utterance.sentences.push(spokenSentence);
    for await (const frame of atSpeechRate(voice.speak(sentence, signal))) {
      if (signal.aborted) return;
      utterance.firstSoundAt ??= clock.elapsed();
      spokenSentence.seconds += frame.samplesPerChannel / SPEECH_RATE;
      frame.userdata[UTTERANCE] = utterance;
      yield frame;
    }
  }
}

/** Splits streamed text into sentences. Yields each as soon as the next one starts. */
export async function* sentencesOf(text: AsyncIterable<string>): AsyncGenerator<string> {
  let tail = '';
  for await (const piece of text) {
    tail += piece;
    const segments = splitSentences(tail);
    tail = segments.pop() ?? '';
    for (const segment of segments) yield* speakable(segment);
  }
  yield* speakable(tail);
}

/** Keeps sentences in scripts that the built-in voice cannot read. */
function speakable(segment: string): string[] {
  const readable = toSentences(segment);
  if (readable.length > 0) return readable;
  return /\p{L}|\p{N}/u.test(segment) ? [segment.trim()] : [];
}

async function* notePieces(
  text: AsyncIterable<string>,
  note: (piece: string) => void,
): AsyncGenerator<string> {
  for await (const piece of text) {
    note(piece);
    yield piece;
  }
}

async function* atSpeechRate(sounds: AsyncIterable<Sound>): AsyncGenerator<AudioFrame> {
  let resampler: AudioResampler | null = null;
  try {
    for await (const { samples, sampleRate } of sounds) {
      if (sampleRate === SPEECH_RATE) {
        yield* framesOf(samples);
        continue;
      }
      resampler ??= new AudioResampler(sampleRate, SPEECH_RATE, 1);
      const frame = new AudioFrame(samples, sampleRate, 1, samples.length);
      for (const { data } of resampler.push(frame)) yield* framesOf(data);
    }
    if (resampler) for (const { data } of resampler.flush()) yield* framesOf(data);
  } finally {
    resampler?.close();
  }
}

/** Copies, because the SDK sends the array's whole underlying buffer. */
function* framesOf(samples: Int16Array): Generator<AudioFrame> {
  for (let at = 0; at < samples.length; at += FRAME_SAMPLES) {
    const part = samples.slice(at, at + FRAME_SAMPLES);
    yield new AudioFrame(part, SPEECH_RATE, 1, part.length);
  }
}
