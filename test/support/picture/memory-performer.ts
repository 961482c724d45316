import type { Framing } from '#protocol/pictures/frames.ts';
import type { Backdrop } from '../../../workers/avatar/performer/backdrop.ts';
import type { Movement, Performer } from '../../../workers/avatar/performer/performer.ts';
import { HEARING_RATE } from '#protocol/audio.ts';

const SAMPLES_PER_MS = HEARING_RATE / 1000;

/** A performer that records its input and draws frames that carry their time. */
export class MemoryPerformer implements Performer {
  speech: { atMs: number; samples: Int16Array }[] = [];
  hushTimes: number[] = [];
  emotions: string[] = [];
  attentions: boolean[] = [];
  movements: Movement[] = [];
  framings: Framing[] = [];
  backdrops: Backdrop[] = [];
  drawTimes: number[] = [];
  isClosed = false;

  hear(samples: Int16Array, atMs: number): void {
    this.speech.push({ atMs, samples });
  }

  hush(atMs: number): void {
    this.hushTimes.push(atMs);
    this.speech = this.speech
      .map((run) => ({
        ...run,
        samples: run.samples.slice(0, Math.max(0, Math.round((atMs - run.atMs) * SAMPLES_PER_MS))),
      }))
      .filter(({ samples }) => samples.length > 0);
  }

  attend(isListening: boolean): void {
    this.attentions.push(isListening);
  }

  feel(emotion: string): void {
    this.emotions.push(emotion);
  }

  frame(framing: Framing): void {
    this.framings.push(framing);
  }

  place(backdrop: Backdrop): void {
    this.backdrops.push(backdrop);
  }

  move(movement: Movement): void {
    this.movements.push(movement);
  }

  draw(atMs: number, frame: Uint8Array): boolean {
    this.drawTimes.push(atMs);
    frame.fill(this.drawTimes.length % 256);
    return true;
  }

  close(): void {
    this.isClosed = true;
  }

  /** The sample that should sound at `atMs`. */
  at(atMs: number): number | undefined {
    for (const run of this.speech) {
      const index = Math.floor(((atMs - run.atMs) * HEARING_RATE) / 1000);
      if (index >= 0 && index < run.samples.length) return run.samples[index];
    }
    return undefined;
  }
}
