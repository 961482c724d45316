/** Samples per second of all audio that Troupe puts into rooms. */
export const AUDIO_RATE = 48_000;
