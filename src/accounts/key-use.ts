import type { Clock } from '#shared/clock.ts';
import type { Log } from '#shared/log.ts';
import type { ApiKeyRecord, ApiKeyRecords } from '../records/api-keys.ts';

const EVERY_MS = 60_000;

export type KeyUseParts = {
  keys: Pick<ApiKeyRecords, 'used'>;
  clock: Clock;
  log: Pick<Log, 'error'>;
};

/** Writes down when keys were used, to the minute; no request waits for it. Close it before the records. */
export class KeyUse {
  readonly #parts: KeyUseParts;
  readonly #writing = new Map<string, Promise<void>>();

  constructor(parts: KeyUseParts) {
    this.#parts = parts;
  }

  note({ id, lastUsedAt }: Pick<ApiKeyRecord, 'id' | 'lastUsedAt'>): void {
    const { keys, clock, log } = this.#parts;
    const now = clock.now();
    const unlessSince = now - EVERY_MS;
    if ((lastUsedAt !== null && lastUsedAt > unlessSince) || this.#writing.has(id)) return;
    const writing = keys
      .used(id, { now, unlessSince })
      .catch((error: unknown) => log.error({ err: error }, 'use of a key not recorded'))
      .finally(() => this.#writing.delete(id));
    this.#writing.set(id, writing);
  }

  async close(): Promise<void> {
    await Promise.all(this.#writing.values());
  }
}
