import type { Clock } from '#shared/clock.ts';
import type { Log } from '#shared/log.ts';
import type { StaleUploadRecords } from '../records/knowledge/stale-uploads.ts';

const SWEEP_EVERY_MS = 3_600_000;
/** An upload is given up this long after its last chunk. */
export const GIVE_UP_UPLOAD_MS = 24 * 3_600_000;

type StaleUploadsParts = { records: StaleUploadRecords; clock: Clock; log: Log };

/** Deletes uploads that were never submitted. Close it before the records. */
export class StaleUploads {
  readonly #parts: StaleUploadsParts;
  #sweeping: Promise<void> = Promise.resolve();
  #cancel: () => void = () => {};
  #isClosed = false;

  constructor(parts: StaleUploadsParts) {
    this.#parts = parts;
  }

  start(): void {
    if (this.#isClosed) return;
    this.#cancel = this.#parts.clock.after(SWEEP_EVERY_MS, () => this.start());
    this.#sweeping = this.#sweep();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancel();
    await this.#sweeping;
  }

  async #sweep(): Promise<void> {
    const { records, clock, log } = this.#parts;
    try {
      const cutoff = clock.now() - GIVE_UP_UPLOAD_MS;
      const swept = await records.sweep(cutoff, () => this.#isClosed);
      if (swept > 0) log.info({ uploads: swept }, 'stale uploads deleted');
    } catch (err) {
      log.error({ err }, 'sweep of stale uploads failed');
    }
  }
}
