/** The longest babble so far, by sampling rate. A shorter one is its beginning. */
const babbles = new Map<number, Int16Array>();

/**
 * Deterministic speech-like sound: a voice of 120 Hz with two moving formants, four syllables a
 * second, and no silence, so that drop-outs are detectable.
 */
export function babble(rate: number, ms: number): Int16Array {
  const length = Math.round((rate * ms) / 1000);
  let longestBabble = babbles.get(rate) ?? new Int16Array();
  if (longestBabble.length < length) babbles.set(rate, (longestBabble = newBabble(rate, length)));
  return longestBabble.slice(0, length);
}

function newBabble(rate: number, length: number): Int16Array {
  const samples = new Int16Array(length);
  for (let i = 0; i < length; i++) {
    const t = i / rate;
    const syllable = 0.25 + 0.75 * Math.abs(Math.sin(Math.PI * 4 * t)) ** 0.7;
    const firstFormant = 450 + 250 * Math.sin(2 * Math.PI * 1.3 * t);
    const secondFormant = 1500 + 600 * Math.sin(2 * Math.PI * 0.9 * t + 1);
    let sum = 0;
    for (let harmonic = 1; harmonic <= 24; harmonic++) {
      const hertz = 120 * harmonic;
      const gain =
        Math.exp(-(((hertz - firstFormant) / 180) ** 2)) +
        0.5 * Math.exp(-(((hertz - secondFormant) / 300) ** 2)) +
        0.03;
      sum += gain * Math.sin(2 * Math.PI * hertz * t);
    }
    samples[i] = Math.max(-30_000, Math.min(30_000, Math.round(3500 * syllable * sum)));
  }
  return samples;
}

/**
 * Tone bursts: `onMs` in every `everyMs`, which is not a multiple of the frame time, so that bursts
 * start anywhere in a frame.
 */
export function beeps(rate: number, ms: number, onMs = 200, everyMs = 1013): Int16Array {
  return Int16Array.from({ length: Math.round((rate * ms) / 1000) }, (_, i) => {
    const t = (i / rate) * 1000;
    return t % everyMs < onMs ? Math.round(12_000 * Math.sin((2 * Math.PI * 500 * t) / 1000)) : 0;
  });
}

export const bytesOf = (samples: Int16Array): Uint8Array =>
  new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength);
