import type { Performer } from './performer/performer.ts';
import { Segment } from './speech/segment.ts';

/** What speech synthesisers make; each has a filter of its own, which is computed once. */
const RATES = [16_000, 22_050, 24_000, 44_100, 48_000];
const SECONDS = 0.4;

/**
 * Lets a performer hear and draw a little of every kind of speech. The first session then finds everything compiled and computed, where it
 * would otherwise stand still for a few frames just when somebody begins to speak.
 */
export function warmUp(performer: Performer, size: { width: number; height: number }): void {
  const frame = new Uint8Array((size.width * size.height * 3) / 2);
  let atMs = 0;
  for (const sampleRate of RATES) {
    const segment = new Segment(0, { sampleRate, channels: 1 });
    segment.receive(buzz(sampleRate));
    segment.end();
    for (let run = segment.take(200); run; run = segment.take(200)) {
      performer.hear(run.hearing, atMs + run.hearingOffsetMs);
      for (let ms = 0; ms < run.sound.length / 48; ms += 40) performer.draw(atMs + ms, frame);
      atMs += run.sound.length / 48;
    }
  }
}

/** Something with a pitch. */
function buzz(rate: number): Uint8Array {
  const samples = Int16Array.from({ length: rate * SECONDS }, (_, i) => ((i * 120) % rate) / 4);
  return new Uint8Array(samples.buffer);
}
