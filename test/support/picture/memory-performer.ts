import type { Movement, Performer } from '../../../workers/avatar/performer/performer.ts';
import { HEARING_RATE } from '#protocol/audio.ts';

const SAMPLES_PER_MS = HEARING_RATE / 1000;

/** A performer that records its input and draws frames that carry their time. */
export class MemoryPerformer implements Performer {
  heard: { atMs: number; samples: Int16Array }[] = [];
  hushed: number[] = [];
  felt: string[] = [];
  attended: boolean[] = [];
  moved: Movement[] = [];
  drawn: number[] = [];
  isClosed = false;

  hear(samples: Int16Array, atMs: number): void {
    this.heard.push({ atMs, samples });
  }

  hush(atMs: number): void {
    this.hushed.push(atMs);
    this.heard = this.heard
      .map((run) => ({
        ...run,
        samples: run.samples.slice(0, Math.max(0, Math.round((atMs - run.atMs) * SAMPLES_PER_MS))),
      }))
      .filter(({ samples }) => samples.length > 0);
  }

  attend(isListening: boolean): void {
    this.attended.push(isListening);
  }

  feel(emotion: string): void {
    this.felt.push(emotion);
  }

  move(what: Movement): void {
    this.moved.push(what);
  }

  draw(atMs: number, frame: Uint8Array): boolean {
    this.drawn.push(atMs);
    frame.fill(this.drawn.length % 256);
    return true;
  }

  close(): void {
    this.isClosed = true;
  }

  /** The sample that should sound at `atMs`. */
  at(atMs: number): number | undefined {
    for (const run of this.heard) {
      const index = Math.floor(((atMs - run.atMs) * HEARING_RATE) / 1000);
      if (index >= 0 && index < run.samples.length) return run.samples[index];
    }
    return undefined;
  }
}
