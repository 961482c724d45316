import { describe, expect, test } from 'vitest';
import { withoutWavHeader } from '../../../../../workers/avatar/transport/pipecat/wav-header.ts';
import { waveOf } from '../../../../support/sound/wave.ts';

const SAMPLES = Int16Array.of(1, -2, 3);
const PCM = Buffer.from(SAMPLES.buffer);

describe('a WAV header', () => {
  test('is taken off', () => {
    expect(Buffer.from(withoutWavHeader(waveOf(SAMPLES, 16_000)))).toEqual(PCM);
  });

  test('may hold chunks before the samples', () => {
    const wave = waveOf(SAMPLES, 16_000);
    const extra = Buffer.from('LIST\x03\x00\x00\x00abc\x00', 'latin1');

    const audio = withoutWavHeader(Buffer.concat([wave.subarray(0, 36), extra, wave.subarray(36)]));

    expect(Buffer.from(audio)).toEqual(PCM);
  });

  test('without samples leaves none', () => {
    expect(withoutWavHeader(waveOf(SAMPLES, 16_000).subarray(0, 40))).toHaveLength(0);
  });

  test('is not looked for in other audio', () => {
    expect(withoutWavHeader(PCM)).toBe(PCM);
  });
});
