/** Samples per second of the probe's speech, as synthesisers send it. */
export const SPEECH_RATE_HZ = 24_000;

const PITCH_HZ = 120;
const SYLLABLES_PER_SECOND = 4;
/** Strongest near an open vowel. */
const FORMANT_HZ = 600;

/** A voice that hums syllables without a pause: 16-bit mono PCM. */
export function hum(ms: number): Int16Array {
  return Int16Array.from({ length: (SPEECH_RATE_HZ * ms) / 1000 }, (_, i) => {
    const t = i / SPEECH_RATE_HZ;
    const syllable = 0.3 + 0.7 * Math.abs(Math.sin(Math.PI * SYLLABLES_PER_SECOND * t));
    let sum = 0;
    for (let harmonic = 1; harmonic <= 12; harmonic += 1) {
      const hertz = PITCH_HZ * harmonic;
      sum += Math.exp(-(((hertz - FORMANT_HZ) / 300) ** 2)) * Math.sin(2 * Math.PI * hertz * t);
    }
    return Math.round(5_000 * syllable * sum);
  });
}
