/** What journeys say: a tone that rises by this much each second, so that what is heard tells its own place in the speech. */
const RISING = { fromHertz: 300, hertzPerSecond: 100 };

/** Samples a second of what is looked at here. */
export const RATE = 48_000;
/** Above what a codec makes of silence. */
export const LOUD = 400;
/** Long enough for a pitch that is good to a hertz. */
const WINDOW = 0.06 * RATE;
const HALF_WINDOW_S = WINDOW / RATE / 2;
const STEP = RATE / 100;

/** So many seconds of it from its beginning. */
export const risingTone = (rate: number, seconds: number): Int16Array =>
  Int16Array.from({ length: rate * seconds }, (_, i) => {
    const t = i / rate;
    const turns = RISING.fromHertz * t + (RISING.hertzPerSecond * t * t) / 2;
    return Math.round(8_000 * Math.sin(2 * Math.PI * turns));
  });

/** Something that was said, as it was heard. `first` and `last` are the seconds of the tone at its clear beginning and end. */
export type Utterance = { seconds: number; first: number; last: number };

/** A new one begins where the tone is back at its beginning. A gap in one is the network's, and costs seconds. */
export function utterancesIn(sound: Int16Array): Utterance[] {
  const utterances: Utterance[] = [];
  for (let at = 0; at + WINDOW <= sound.length; at += STEP) {
    const middle = at + (WINDOW - STEP) / 2;
    if (!isLoud(sound.subarray(middle, middle + STEP))) continue;
    const second = secondOf(sound.subarray(at, at + WINDOW));
    const current = utterances.at(-1);
    if (second !== null && second < 0.5 && (!current || current.last > second + 0.3)) {
      utterances.push({
        seconds: STEP / RATE,
        first: second - HALF_WINDOW_S,
        last: second + HALF_WINDOW_S,
      });
    } else if (current) {
      current.seconds += STEP / RATE;
      const end = second === null ? 0 : second + HALF_WINDOW_S;
      // What is far ahead is noise.
      if (end > current.last && end < current.last + 1) current.last = end;
    }
  }
  return utterances;
}

const isLoud = (samples: Int16Array): boolean => samples.some((sample) => Math.abs(sample) > LOUD);

/** Backwards over what is no clean tone: the fading of what was cut off, and what a starved decoder made up. */
export function lastSecond(samples: Int16Array): number | null {
  for (let end = samples.length; end >= WINDOW; end -= WINDOW / 8) {
    const second = secondOf(samples.subarray(end - WINDOW, end));
    if (second !== null) return second + HALF_WINDOW_S;
  }
  return null;
}

/** How many hertz each stretch of 60 ms has that is a clean tone, rising or not. */
export function pitchesIn(sound: Int16Array): number[] {
  const pitches: number[] = [];
  for (let at = 0; at + WINDOW <= sound.length; at += WINDOW) {
    const hertz = pitch(sound.subarray(at, at + WINDOW));
    if (hertz !== null) pitches.push(hertz);
  }
  return pitches;
}

/** Which second of the tone is in the middle of these samples; null when they are no clean tone. */
function secondOf(samples: Int16Array): number | null {
  const hertz = pitch(samples);
  return hertz === null ? null : (hertz - RISING.fromHertz) / RISING.hertzPerSecond;
}

/** From the rising zero crossings, each found between two samples; null when they are not as even as a tone's. */
function pitch(samples: Int16Array): number | null {
  if (!samples.some((sample) => sample > LOUD)) return null;
  const crossings: number[] = [];
  for (let i = 1; i < samples.length; i++) {
    const [a, b] = [samples[i - 1]!, samples[i]!];
    if (a < 0 && b >= 0) crossings.push(i - 1 + a / (a - b));
  }
  const periods = crossings.slice(1).map((at, i) => at - crossings[i]!);
  const mean = (crossings.at(-1)! - crossings[0]!) / periods.length;
  const isTone = periods.length > 8 && periods.every((one) => Math.abs(one / mean - 1) < 0.08);
  return isTone ? RATE / mean : null;
}
