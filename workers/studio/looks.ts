import { LipSync, type Look } from '../avatar/lipsync/mouth-track.ts';
import type { Weights } from '../avatar/lipsync/network.ts';
import { HEARING_RATE } from '#protocol/audio.ts';
import { Resampler } from '../avatar/speech/resample.ts';
import type { Wave } from './wave-file.ts';

/**
 * One look per picture, at the middle of its span. Sound arrives in runs of 10 ms, `aheadMs` before
 * the end of the span: 0 for live speech, more for speech that is sent early.
 */
export function looksIn(
  wave: Wave,
  { fps, aheadMs, weights }: { fps: number; aheadMs: number; weights?: Weights | undefined },
): Look[] {
  const resampler = new Resampler(wave.sampleRate, wave.channels, HEARING_RATE);
  const lipSync = new LipSync(weights);
  const bytesPerRun = 2 * wave.channels * Math.round(wave.sampleRate / 100);
  const bytesPerMs = (2 * wave.channels * wave.sampleRate) / 1000;
  let heardSamples = 0;
  let sentBytes = 0;
  const hearUntil = (untilMs: number) => {
    // Send a run only when the whole of it has arrived.
    while (sentBytes < wave.pcm.length && (sentBytes + bytesPerRun) / bytesPerMs <= untilMs) {
      const samples = resampler.push(wave.pcm.subarray(sentBytes, sentBytes + bytesPerRun));
      sentBytes += bytesPerRun;
      lipSync.hear(samples, (heardSamples * 1000) / HEARING_RATE);
      heardSamples += samples.length;
    }
  };
  const seconds = wave.pcm.length / (1000 * bytesPerMs);
  return Array.from({ length: Math.floor(seconds * fps) }, (_, frame) => {
    hearUntil(((frame + 1) * 1000) / fps + aheadMs);
    return lipSync.lookAt(((frame + 0.5) * 1000) / fps);
  });
}
