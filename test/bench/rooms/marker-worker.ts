/*
 * An avatar worker with a marker picture: bright while it considers speech audible, otherwise dark.
 * All other parts are the real ones.
 */
import type { Performer } from '../../../workers/avatar/performer/performer.ts';
import { HEARING_RATE } from '#protocol/audio.ts';
import { runWorker } from '../../../workers/avatar/worker.ts';

class MarkerPerformer implements Performer {
  #runs: { fromMs: number; samples: Int16Array }[] = [];

  hear(samples: Int16Array, atMs: number): void {
    this.#runs.push({ fromMs: atMs, samples });
  }

  hush(): void {
    this.#runs = [];
  }

  draw(atMs: number, frame: Uint8Array): boolean {
    this.#runs = this.#runs.filter(
      ({ fromMs, samples }) => fromMs + samples.length / 16 > atMs - 20,
    );
    frame.fill(this.#isLoudAt(atMs) ? 220 : 30, 0, (frame.length * 2) / 3);
    frame.fill(128, (frame.length * 2) / 3);
    return true;
  }

  close(): void {}

  #isLoudAt(atMs: number): boolean {
    return this.#runs.some(({ fromMs, samples }) => {
      const at = Math.round(((atMs - fromMs) * HEARING_RATE) / 1000);
      return samples
        .subarray(Math.max(0, at - 20), Math.max(0, at + 20))
        .some((s) => Math.abs(s) > 1000);
    });
  }
}

await runWorker(async () => ({
  avatars: {
    ids: ['marker'],
    opensBundles: false,
    performer: async () => new MarkerPerformer(),
    async close() {},
  },
}));
