import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LipSync } from '../../../../workers/avatar/lipsync/mouth-track.ts';
import { type Mouth, RESTING_MOUTH } from '../../../../workers/bundle/visemes.ts';
import { joined } from '../../../support/sound/pcm.ts';
import { noise, RATE, silence, utterance, vowel } from '../../../support/sound/vowels.ts';

const FRAME_MS = 40;

describe('mouth track', () => {
  test.each([
    ['a', 'neutral', 0.55, 1],
    ['e', 'spread', 0.3, 0.75],
    ['i', 'spread', 0.15, 0.6],
    ['o', 'rounded', 0.2, 0.75],
    ['u', 'rounded', 0.15, 0.65],
  ] as const)('shapes %s with %s lips', (name, lips, leastOpen, mostOpen) => {
    for (const pitch of [110, 200]) {
      const speech = joined(silence(200), vowel(name, 160, { pitch }), silence(200));

      const mouths = mouthsOf(speech);

      const middle = mouths[Math.round(280 / FRAME_MS)]!;
      expect(middle.lips, `pitch ${pitch}`).toBe(lips);
      expect(middle.opening).toBeGreaterThan(leastOpen);
      expect(middle.opening).toBeLessThan(mostOpen);
    }
  });

  test.each(['p', 'b', 'm'] as const)('presses the lips for %s between two vowels', (closure) => {
    const word = utterance([
      ['a', 180],
      [closure, 80],
      ['a', 180],
    ]);
    // For any phase of the frames: the closure lasts from 480 to 560 ms, shifted by up to one
    // frame.
    for (let shiftMs = 0; shiftMs < FRAME_MS; shiftMs += 5) {
      const mouths = mouthsOf(joined(silence(300 + shiftMs), word, silence(200)));

      const pressed = mouths.findIndex(({ lips }) => lips === 'pressed') * FRAME_MS - shiftMs;
      expect(pressed, `shifted by ${shiftMs} ms`).toBeGreaterThan(440);
      expect(pressed).toBeLessThan(600);
      expect(mouths[Math.round((400 + shiftMs) / FRAME_MS)]!.opening).toBeGreaterThan(0.4);
    }
  });

  test.each([1, 0.3, 0.05])('opens equally for a voice of level %f', (level) => {
    const speech = joined(silence(200), vowel('a', 200, { level }), silence(200));

    const mouths = mouthsOf(speech);

    expect(mouths[Math.round(320 / FRAME_MS)]!.opening).toBeGreaterThan(0.55);
    expect(mouths[Math.round(120 / FRAME_MS)]!.opening).toBe(0);
  });

  test('keeps the lips shut in silence', () => {
    const mouths = mouthsOf(silence(3000));

    expect(mouths.length).toBeGreaterThan(70);
    expect(mouths.every(({ lips, opening }) => lips === 'neutral' && opening === 0)).toBe(true);
  });

  test.each([0.3, 0.03, 0.001])('keeps the lips shut on noise of level %f', (level) => {
    const mouths = mouthsOf(noise(4000, level));

    // The onset of noise resembles a consonant.
    const open = mouths.slice(1000 / FRAME_MS).filter(({ opening }) => opening > 0.15);
    expect(open).toEqual([]);
  });

  test('opens within 40 ms of the sound with real-time speech', () => {
    const speech = joined(silence(500), vowel('a', 300), silence(300));

    const mouths = mouthsOf(speech, { aheadMs: 0, everyMs: 5 });

    const opened = mouths.findIndex(({ opening }) => opening > 0.15) * 5;
    expect(opened).toBeGreaterThan(460);
    expect(opened).toBeLessThan(540);
  });

  test('closes when the speech is hushed', () => {
    const lipSync = new LipSync();
    lipSync.hear(joined(silence(200), vowel('a', 600)), 0);
    const openMouths = [...moments(0, 400)].map((atMs) => lipSync.mouthAt(atMs));

    lipSync.hush(400);

    expect(openMouths.at(-1)!.opening).toBeGreaterThan(0.5);
    const closing = [...moments(400, 520)].map((atMs) => lipSync.mouthAt(atMs).opening);
    expect(closing.every((opening, i) => i === 0 || opening <= closing[i - 1]!)).toBe(true);
    expect(closing[1]).toBeGreaterThan(0.2);
    expect(lipSync.mouthAt(520)).toEqual(RESTING_MOUTH);
    expect(lipSync.loudnessAt(600)).toBe(0);
  });

  test('follows new speech after a hush', () => {
    const lipSync = new LipSync();
    lipSync.hear(vowel('a', 600), 0);
    lipSync.hush(100);

    lipSync.hear(joined(vowel('o', 300)), 300);

    const mouths = [...moments(100, 560)].map((atMs) => lipSync.mouthAt(atMs));
    expect(mouths.at(-5)!.lips).toBe('rounded');
    expect(mouths.at(-5)!.opening).toBeGreaterThan(0.2);
  });

  test('closes when speech ends without trailing silence', () => {
    const lipSync = new LipSync();
    lipSync.hear(joined(silence(100), vowel('a', 300)), 0);

    const mouths = [...moments(0, 560)].map((atMs) => lipSync.mouthAt(atMs));

    expect(mouths.at(-1)).toEqual(RESTING_MOUTH);
  });

  test('treats a gap between two runs as silence', () => {
    const speech = vowel('a', 250);
    const lipSync = new LipSync();
    lipSync.hear(speech, 0);
    lipSync.hear(speech, 550);

    const mouths = [...moments(0, 720)].map((atMs) => lipSync.mouthAt(atMs).opening);

    expect(mouths[160 / FRAME_MS]).toBeGreaterThan(0.4);
    expect(mouths[440 / FRAME_MS]).toBeLessThan(0.1);
    expect(mouths[680 / FRAME_MS]).toBeGreaterThan(0.4);
  });

  test('gives the same result for one long run as for many short ones', () => {
    const speech = joined(silence(200), vowel('a', 150), silence(60), vowel('u', 200));
    const uncut = new LipSync();
    uncut.hear(speech, 0);
    const cut = new LipSync();
    for (let at = 0; at < speech.length; at += 37) {
      // Rounded as by a clock in milliseconds.
      cut.hear(speech.subarray(at, at + 37), Math.round((at * 10_000) / RATE) / 10);
    }

    for (const atMs of moments(0, 600)) expect(cut.mouthAt(atMs)).toEqual(uncut.mouthAt(atMs));
  });

  test('returns a valid mouth for any sequence of calls', () => {
    const sounds = [silence(90), noise(130, 1), vowel('a', 170, { level: 1 }), noise(50, 0.001)];
    const step = fc.oneof(
      fc.record({ hear: fc.nat(sounds.length - 1), gapMs: fc.integer({ min: -30, max: 700 }) }),
      fc.record({ hushMs: fc.integer({ min: 0, max: 100 }) }),
      fc.record({ passMs: fc.integer({ min: 1, max: 400 }) }),
    );
    fc.assert(
      fc.property(fc.nat(1e8), fc.array(step, { maxLength: 40 }), (startMs, steps) => {
        const lipSync = new LipSync();
        let nowMs = startMs;
        let toldMs = startMs;
        for (const step of steps) {
          if ('hear' in step) {
            toldMs = Math.max(nowMs, toldMs) + step.gapMs;
            lipSync.hear(sounds[step.hear]!, toldMs);
            toldMs += sounds[step.hear]!.length / 16;
          } else if ('hushMs' in step) {
            lipSync.hush(nowMs + step.hushMs);
            toldMs = nowMs + step.hushMs;
          } else {
            const until = nowMs + step.passMs;
            for (; nowMs < until; nowMs += FRAME_MS) {
              const { opening } = lipSync.mouthAt(nowMs);
              const loudness = lipSync.loudnessAt(nowMs);
              for (const value of [opening, loudness]) {
                expect(value).toBeGreaterThanOrEqual(0);
                expect(value).toBeLessThanOrEqual(1);
              }
            }
          }
        }
      }),
      { numRuns: 60 },
    );
  });

  test('measures the loudness of the voice', () => {
    const lipSync = new LipSync();
    lipSync.hear(joined(silence(400), vowel('a', 400), silence(400)), 0);

    expect(lipSync.loudnessAt(200)).toBeLessThan(0.05);
    expect(lipSync.loudnessAt(600)).toBeGreaterThan(0.6);
    expect(lipSync.loudnessAt(1100)).toBeLessThan(0.05);
  });
});

function* moments(fromMs: number, toMs: number, everyMs = FRAME_MS) {
  for (let atMs = fromMs; atMs <= toMs; atMs += everyMs) yield atMs;
}

/** Feeds the speech in runs of 10 ms, `aheadMs` before they play, and reads the mouth `everyMs`. */
function mouthsOf(speech: Int16Array, of: { aheadMs?: number; everyMs?: number } = {}): Mouth[] {
  const { aheadMs = 60, everyMs = FRAME_MS } = of;
  const lipSync = new LipSync();
  const run = RATE / 100;
  let heardSamples = 0;
  return [...moments(0, (speech.length * 1000) / RATE, everyMs)].map((atMs) => {
    for (
      ;
      heardSamples < speech.length && heardSamples * 1000 <= (atMs + aheadMs) * RATE;
      heardSamples += run
    ) {
      lipSync.hear(speech.subarray(heardSamples, heardSamples + run), (heardSamples * 1000) / RATE);
    }
    return lipSync.mouthAt(atMs);
  });
}
