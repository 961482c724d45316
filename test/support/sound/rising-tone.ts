/*
 * The speech of journeys: a tone that rises steadily, so that any stretch of it reveals its
 * position in the speech.
 *
 * The position is read from the rising zero crossings of a window: a line fitted through the turns
 * of the tone is accurate to a millisecond. The method's own error, measured at natural ends
 * through the codec: 2 to 3 ms late (the codec rings), the same in every run.
 */

/** Start frequency, and its rise each second. */
const RISING = { fromHertz: 300, hertzPerSecond: 100 };

/** Sample rate of the analysed sound. */
export const RATE = 48_000;
/** Above the noise that a codec makes of silence. */
export const LOUD = 400;
const MS = RATE / 1000;
const STEP = 10 * MS;
/** Long enough for a dozen turns of the lowest tone. */
const WINDOW = 40 * MS;
const HALF_WINDOW_S = WINDOW / RATE / 2;
const FEWEST_TURNS = 8;
/** Maximum deviation of a crossing of a clean tone from the line, in turns. */
const CLEAN_TURNS = 0.08;
/** A viewer's jitter buffer may drop a period of the tone to catch up; a lost packet is 20 ms. */
const CAUGHT_UP_S = 0.015;
/** `pitchesIn` analyses tones that do not rise. */
const PITCH_WINDOW = 60 * MS;

/** The first seconds of the tone. */
export const risingTone = (rate: number, seconds: number): Int16Array =>
  Int16Array.from({ length: rate * seconds }, (_, i) => {
    const t = i / rate;
    const turns = RISING.fromHertz * t + (RISING.hertzPerSecond * t * t) / 2;
    return Math.round(8_000 * Math.sin(2 * Math.PI * turns));
  });

/**
 * An utterance as it was heard: the seconds of the tone at its beginning and end, and how many of
 * the seconds between them were heard. Skipped parts do not count, stretched parts count once.
 */
export type Utterance = { seconds: number; startSecond: number; endSecond: number };

/** A new utterance begins where the tone starts over. */
export function utterancesIn(sound: Int16Array): Utterance[] {
  const utterances: (Utterance & { from: number; to: number; unread: number })[] = [];
  for (let at = 0; at + WINDOW <= sound.length; at += STEP) {
    const middle = at + (WINDOW - STEP) / 2;
    if (!isLoud(sound.subarray(middle, middle + STEP))) continue;
    const current = utterances.at(-1);
    if (current) {
      current.to = middle + STEP;
      current.unread += STEP / RATE;
    }
    const second = secondAtEnd(sound.subarray(at, at + WINDOW));
    if (second === null) continue;
    if (second < 0.5 && (!current || current.endSecond > second + 0.3)) {
      const startSecond = second - 2 * HALF_WINDOW_S;
      utterances.push({
        seconds: 2 * HALF_WINDOW_S,
        startSecond,
        endSecond: second,
        from: at,
        to: middle + STEP,
        unread: 0,
      });
      // A large jump ahead is noise.
    } else if (current && second < current.endSecond + 1) {
      const advance = Math.max(0, second - current.endSecond);
      const { unread } = current;
      current.seconds += advance > unread + CAUGHT_UP_S ? unread : advance;
      current.endSecond = Math.max(current.endSecond, second);
      current.unread = 0;
    }
  }
  return utterances.map(({ seconds, startSecond, endSecond, from, to }) => {
    const end = lastSecond(sound.subarray(from, to)) ?? endSecond;
    return {
      seconds: seconds + Math.max(0, end - endSecond),
      startSecond,
      endSecond: Math.max(endSecond, end),
    };
  });
}

const isLoud = (samples: Int16Array): boolean => samples.some((sample) => Math.abs(sample) > LOUD);

/** The second of the tone at its last sound, without ringing after a cut. */
export function lastSecond(samples: Int16Array): number | null {
  const loud = samples.findLastIndex((sample) => Math.abs(sample) > LOUD) + 1;
  const secondAt = (end: number) => secondAtEnd(samples.subarray(end - WINDOW, end));
  let end = loud;
  while (end >= WINDOW && secondAt(end) === null) end -= STEP;
  if (end < WINDOW) return null;
  for (let later = Math.min(end + STEP, loud + MS) - MS; later > end; later -= MS) {
    const second = secondAt(later);
    if (second !== null) return second;
  }
  return secondAt(end);
}

/** The frequency of each clean stretch of 60 ms, rising or not. */
export function pitchesIn(sound: Int16Array): number[] {
  const pitches: number[] = [];
  for (let at = 0; at + PITCH_WINDOW <= sound.length; at += PITCH_WINDOW) {
    const middle = toneIn(sound.subarray(at, at + PITCH_WINDOW), PITCH_WINDOW / 2, 0);
    if (middle !== null) pitches.push(middle);
  }
  return pitches;
}

/** The second of the tone at the end of these samples, or null without a clean tone. */
function secondAtEnd(samples: Int16Array): number | null {
  const hertz = toneIn(samples, samples.length, RISING.hertzPerSecond);
  return hertz === null ? null : (hertz - RISING.fromHertz) / RISING.hertzPerSecond;
}

/** The frequency at one sample of a window, by least squares; null without a clean tone. */
function toneIn(samples: Int16Array, at: number, hertzPerSecond: number): number | null {
  if (!isLoud(samples)) return null;
  const seconds = risingCrossings(samples).map((crossing) => (crossing - at) / RATE);
  const count = seconds.length;
  if (count < FEWEST_TURNS) return null;
  // Silence at either end has no crossings.
  const period = (seconds.at(-1)! - seconds[0]!) / (count - 1);
  const [begin, end] = [-at / RATE, (samples.length - at) / RATE];
  if (seconds[0]! - begin > 2 * period || end - seconds.at(-1)! > 2 * period) return null;
  // Without its rise, the turns of the tone lie on a line whose slope is the frequency.
  const turns = seconds.map((second, i) => i - (hertzPerSecond * second * second) / 2);
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / count;
  const [meanSecond, meanTurn] = [mean(seconds), mean(turns)];
  const spread = mean(seconds.map((second) => (second - meanSecond) ** 2));
  const together = mean(seconds.map((second, i) => (second - meanSecond) * (turns[i]! - meanTurn)));
  const hertz = together / spread;
  const isClean = seconds.every(
    (second, i) => Math.abs(turns[i]! - meanTurn - hertz * (second - meanSecond)) < CLEAN_TURNS,
  );
  return isClean ? hertz : null;
}

/** Rising zero crossings, interpolated between samples. */
function risingCrossings(samples: Int16Array): number[] {
  const crossings: number[] = [];
  for (let i = 1; i < samples.length; i++) {
    const [a, b] = [samples[i - 1]!, samples[i]!];
    if (a < 0 && b >= 0) crossings.push(i - 1 + a / (a - b));
  }
  return crossings;
}
