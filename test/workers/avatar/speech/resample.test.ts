import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Resampler } from '../../../../workers/avatar/speech/resample.ts';

describe('resampler', () => {
  test('returns the exact length for any chunk borders', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(8000, 11_025, 16_000, 22_050, 24_000, 44_100, 48_000, 12_347, 192_000),
        fc.constantFrom(16_000, 48_000),
        fc.constantFrom(1, 2, 6),
        fc.integer({ min: 0, max: 20_000 }),
        fc.array(fc.integer({ min: 1, max: 4099 }), { minLength: 1, maxLength: 20 }),
        (fromRate, toRate, channels, frames, cuts) => {
          const speech = tone({ rate: fromRate, hertz: 440, channels, frames });

          const resampled = resample(new Resampler(fromRate, channels, toRate), speech, cuts);

          expect(resampled.length).toBe(Math.round((frames * toRate) / fromRate));
        },
      ),
      { numRuns: 150 },
    );
  });

  test('returns the same samples for whole input and byte by byte', () => {
    fc.assert(
      fc.property(
        fc.constantFrom([8000, 48_000], [22_050, 16_000], [176_400, 48_000], [48_000, 48_000]),
        fc.constantFrom(1, 2, 5),
        fc.array(fc.integer({ min: 1, max: 333 }), { minLength: 1, maxLength: 20 }),
        ([fromRate, toRate], channels, cuts) => {
          const speech = tone({ rate: fromRate, hertz: 900, channels, frames: 3000 });
          const uncut = resample(new Resampler(fromRate, channels, toRate), speech, [1e9]);

          const cut = resample(new Resampler(fromRate, channels, toRate), speech, cuts);

          expect(cut).toEqual(uncut);
        },
      ),
      { numRuns: 60 },
    );
  });

  test.each([
    [8000, 48_000],
    [11_025, 48_000],
    [16_000, 48_000],
    [22_050, 48_000],
    [24_000, 48_000],
    [44_100, 48_000],
    [24_000, 16_000],
    [44_100, 16_000],
    [48_000, 16_000],
    [12_347, 48_000],
    [88_200, 48_000],
    [96_000, 48_000],
    [192_000, 16_000],
    [191_999, 16_000],
  ])('keeps a tone in its place and adds nothing over -60 dB, %i -> %i', (fromRate, toRate) => {
    const lower = Math.min(fromRate, toRate);
    for (const share of [0.02, 0.11, 0.25, 0.4]) {
      const hertz = share * lower;
      const speech = tone({ rate: fromRate, hertz, frames: fromRate });

      const output = resample(new Resampler(fromRate, 1, toRate), speech, [960]);

      // Both ends border on silence, where a tone has no single frequency.
      const expected = samplesOf(tone({ rate: toRate, hertz, frames: toRate }));
      expect(worstError(output, expected, toRate / 50), `${hertz} Hz`).toBeLessThan(-60);
    }
  });

  test.each([
    [48_000, 16_000],
    [44_100, 16_000],
    [24_000, 16_000],
  ])('shuts out what the lower rate cannot hold, %i -> %i', (fromRate, toRate) => {
    const speech = tone({ rate: fromRate, hertz: 0.58 * toRate, frames: fromRate });

    const output = resample(new Resampler(fromRate, 1, toRate), speech, [960]);

    expect(worstError(output, new Int16Array(output.length), toRate / 50)).toBeLessThan(-60);
  });

  test('mixes both channels of stereo', () => {
    const mono = samplesOf(tone({ rate: 24_000, hertz: 300, frames: 2400 }));
    const stereo = new Int16Array(4800);
    for (let i = 0; i < 2400; i++) stereo[2 * i] = mono[i]!;

    const output = resample(new Resampler(24_000, 2, 24_000), bytesOf(stereo), [7]);

    expect(output).toEqual(mono.map((sample) => Math.round(sample / 2)));
  });

  test('keeps full scale within 16 bits', () => {
    const square = Int16Array.from({ length: 4800 }, (_, i) => (i % 96 < 48 ? 32_767 : -32_768));

    const output = resample(new Resampler(24_000, 1, 48_000), bytesOf(square), [960]);

    // An overflow would flip the sign.
    for (let i = 0; i < output.length; i++) {
      if (i % 192 > 8 && i % 192 < 88) expect(output[i]).toBeGreaterThan(20_000);
    }
  });

  test('starts over after a flush', () => {
    const speech = tone({ rate: 24_000, hertz: 500, frames: 1000 });
    const resampler = new Resampler(24_000, 1, 48_000);
    const firstOutput = resample(resampler, speech, [100]);

    const second = resample(resampler, speech, [100]);

    expect(second).toEqual(firstOutput);
  });
});

function tone(of: { rate: number; hertz: number; frames: number; channels?: number }): Uint8Array {
  const channels = of.channels ?? 1;
  const samples = new Int16Array(of.frames * channels);
  for (let i = 0; i < of.frames; i++) {
    const value = Math.round(AMPLITUDE * Math.sin((2 * Math.PI * of.hertz * i) / of.rate));
    for (let c = 0; c < channels; c++) samples[i * channels + c] = value;
  }
  return bytesOf(samples);
}

const AMPLITUDE = 16_000;

function resample(resampler: Resampler, speech: Uint8Array, cuts: number[]): Int16Array {
  const parts: Int16Array[] = [];
  for (let at = 0, cut = 0; at < speech.length; cut++) {
    const length = cuts[cut % cuts.length]!;
    parts.push(resampler.push(speech.subarray(at, at + length)));
    at += length;
  }
  parts.push(resampler.flush());
  const output = new Int16Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    output.set(part, at);
    at += part.length;
  }
  return output;
}

/** In dB relative to the tone's amplitude, without `margin` samples at both ends. */
function worstError(output: Int16Array, expected: Int16Array, margin: number): number {
  let worst = 1e-9;
  for (let i = margin; i < output.length - margin; i++) {
    worst = Math.max(worst, Math.abs(output[i]! - expected[i]!));
  }
  return 20 * Math.log10(worst / AMPLITUDE);
}

const bytesOf = (samples: Int16Array) => new Uint8Array(samples.buffer);
const samplesOf = (bytes: Uint8Array) => new Int16Array(bytes.buffer);
