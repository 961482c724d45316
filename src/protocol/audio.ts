/** Samples per second of all audio that Troupe puts into rooms: WebRTC's own rate. */
export const AUDIO_RATE = 48_000;

/**
 * Speech that can be resampled and mixed down: interleaved 16-bit PCM with these rates, and up to
 * so many channels.
 */
export const SPEECH_FORMATS = { minRate: 8_000, maxRate: 192_000, maxChannels: 16 } as const;

export type SpeechFormat = { sampleRate: number; channels: number };

export const isSpeechFormat = ({ sampleRate, channels }: SpeechFormat): boolean =>
  Number.isInteger(sampleRate) &&
  sampleRate >= SPEECH_FORMATS.minRate &&
  sampleRate <= SPEECH_FORMATS.maxRate &&
  Number.isInteger(channels) &&
  channels >= 1 &&
  channels <= SPEECH_FORMATS.maxChannels;

/** An audio source plays in steps of this length. Audio handed to it is a whole number of steps. */
export const AUDIO_STEP_MS = 10;

/** Samples per second of the speech that performers and lip-sync take. */
export const HEARING_RATE = 16_000;

/** Milliseconds that `samples` mono samples at `AUDIO_RATE` last. */
export const audioMs = (samples: number): number => (samples / AUDIO_RATE) * 1000;

/** Peaks below this (-54 dB of full scale) are inaudible in a call. */
export const AUDIBLE = 64;

export function peakOf(samples: Int16Array): number {
  let peak = 0;
  for (const sample of samples) peak = Math.max(peak, Math.abs(sample));
  return peak;
}

/** Silence that ends an utterance. Longer than pauses within a sentence. */
export const SPEECH_PAUSE_MS = 300;
