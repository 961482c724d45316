import { frameBytes, type Performer } from './performer/performer.ts';
import { audioMs } from '#protocol/audio.ts';
import { Segment } from './speech/segment.ts';

/**
 * Common rates of speech synthesisers. The resampling filter of each is computed once per process.
 */
const RATES = [16_000, 22_050, 24_000, 44_100, 48_000];
const SECONDS = 0.4;
const FRAME_MS = 40;

/**
 * Runs a little speech of each rate through a performer, so that code is compiled and filters are
 * computed before the first session. Without this, its video stalls for a few frames when speech
 * begins.
 */
export function warmUp(performer: Performer, size: { width: number; height: number }): void {
  const frame = new Uint8Array(frameBytes(size));
  let atMs = 0;
  for (const sampleRate of RATES) {
    const segment = new Segment(0, { sampleRate, channels: 1 });
    segment.receive(buzz(sampleRate));
    segment.end();
    for (let run = segment.take(200); run; run = segment.take(200)) {
      performer.hear(run.hearing, atMs + run.hearingOffsetMs);
      const runMs = audioMs(run.sound.length);
      for (let ms = 0; ms < runMs; ms += FRAME_MS) performer.draw(atMs + ms, frame);
      atMs += runMs;
    }
  }
}

/** A sawtooth of 120 Hz. */
function buzz(rate: number): Uint8Array {
  const samples = Int16Array.from({ length: rate * SECONDS }, (_, i) => ((i * 120) % rate) / 4);
  return new Uint8Array(samples.buffer);
}
