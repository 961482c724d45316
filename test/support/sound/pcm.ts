/** 16-bit little-endian PCM, as on the wire. */
export function pcm(samples: ArrayLike<number>): Uint8Array {
  const bytes = new Uint8Array(samples.length * 2);
  const view = new DataView(bytes.buffer);
  for (let i = 0; i < samples.length; i++) view.setInt16(2 * i, samples[i]!, true);
  return bytes;
}

/** A steady tone that is never 0 for long. */
export const tone = (rate: number, ms: number, hertz = 400, peak = 8000): Int16Array =>
  Int16Array.from({ length: Math.round((rate * ms) / 1000) }, (_, i) =>
    Math.round(peak * Math.sin((2 * Math.PI * hertz * i) / rate)),
  );

/** `bytes` in chunks of the given sizes, repeated. */
export function cutUp(bytes: Uint8Array, sizes: number[]): Uint8Array[] {
  const pieces: Uint8Array[] = [];
  for (let at = 0, i = 0; at < bytes.length; i++) {
    const size = Math.max(1, sizes[i % sizes.length]!);
    pieces.push(bytes.slice(at, at + size));
    at += size;
  }
  return pieces;
}

export function joined(...parts: Int16Array[]) {
  const sound = new Int16Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    sound.set(part, at);
    at += part.length;
  }
  return sound;
}

/** Samples that differ, so that any loss or change of order shows. */
export const numbered = (count: number): Int16Array =>
  Int16Array.from({ length: count }, (_, i) => 1 + (i % 30_000));

/** The sound between leading and trailing silence. */
export function voiced(samples: number[]): number[] {
  const from = samples.findIndex((sample) => sample !== 0);
  const to = samples.findLastIndex((sample) => sample !== 0);
  return from < 0 ? [] : samples.slice(from, to + 1);
}
