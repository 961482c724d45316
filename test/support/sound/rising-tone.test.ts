import { describe, expect, test } from 'vitest';
import { joined } from './pcm.ts';
import { lastSecond, RATE, risingTone, utterancesIn } from './rising-tone.ts';

const SILENCE = new Int16Array(RATE / 2);
const tone = risingTone(RATE, 6);
const at = (seconds: number) => Math.round(seconds * RATE);

/** Concealment by a decoder without packets: the last sound repeated at its pitch, fading. */
const madeUp = (second: number, lengthS: number): Int16Array =>
  Int16Array.from({ length: at(lengthS) }, (_, i) => {
    const hertz = 300 + 100 * second;
    const turns = 300 * second + 50 * second * second + (hertz * i) / RATE;
    return 8_000 * (1 - i / at(lengthS)) * Math.sin(2 * Math.PI * turns);
  });

describe('the position in a rising tone', () => {
  test.each([0.05, 0.3, 1.234, 3.1416, 5.999])(
    'of a tone cut at %d s is known to 5 ms',
    (second) => {
      expect(lastSecond(joined(tone.slice(0, at(second)), SILENCE))).toBeCloseTo(second, 2);
    },
  );

  test('is accurate to 5 ms amid codec noise', () => {
    const noisy = tone.map((sample) => sample + Math.round(300 * (Math.random() - 0.5)));

    expect(lastSecond(joined(noisy.slice(0, at(2)), SILENCE))).toBeCloseTo(2, 2);
  });

  test('is not shifted by concealment of a starved decoder', () => {
    const second = lastSecond(joined(tone.slice(0, at(2)), madeUp(2, 0.2), SILENCE))!;

    expect(Math.abs(second - 2)).toBeLessThan(0.025);
  });

  test('is null without a tone', () => {
    const noise = Int16Array.from({ length: RATE }, () => 16_000 * (Math.random() - 0.5));

    expect(lastSecond(noise)).toBeNull();
    expect(lastSecond(SILENCE)).toBeNull();
  });
});

describe('utterances heard of a rising tone', () => {
  test('are accurate to 20 ms', () => {
    const utterances = utterancesIn(
      joined(SILENCE, tone.slice(0, at(5)), SILENCE, tone.slice(0, at(1.5)), SILENCE),
    );

    expect(utterances).toHaveLength(2);
    for (const [i, seconds] of [5, 1.5].entries()) {
      expect(Math.abs(utterances[i]!.startSecond)).toBeLessThan(0.02);
      expect(Math.abs(utterances[i]!.endSecond - seconds)).toBeLessThan(0.005);
      expect(Math.abs(utterances[i]!.seconds - seconds)).toBeLessThan(0.02);
    }
  });

  test('exclude what was lost, with or without silence in its place', () => {
    const [begin, end] = [tone.slice(0, at(1)), tone.slice(at(1.1), at(3))];

    const [skipped] = utterancesIn(joined(begin, end, SILENCE));
    const [silenced] = utterancesIn(joined(begin, new Int16Array(at(0.1)), end, SILENCE));

    expect(skipped!.endSecond).toBeCloseTo(3, 2);
    expect(Math.abs(skipped!.seconds - 2.9)).toBeLessThan(0.02);
    expect(Math.abs(silenced!.seconds - 2.9)).toBeLessThan(0.02);
  });

  test('count once what a jitter buffer played twice', () => {
    const [utterance] = utterancesIn(
      joined(tone.slice(0, at(1)), tone.slice(at(0.98), at(3)), SILENCE),
    );

    expect(Math.abs(utterance!.seconds - 3)).toBeLessThan(0.02);
  });
});
