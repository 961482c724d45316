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
  /** When each was written down by us: whoever knows a key may have learnt of it before. */
  readonly #noted = new Map<string, number>();

  constructor(parts: KeyUseParts) {
    this.#parts = parts;
  }

  note({ id, lastUsedAt }: Pick<ApiKeyRecord, 'id' | 'lastUsedAt'>): void {
    const { keys, clock, log } = this.#parts;
    const now = clock.now();
    const unlessSince = now - EVERY_MS;
    const usedAt = Math.max(lastUsedAt ?? 0, this.#noted.get(id) ?? 0);
    if (usedAt > unlessSince || this.#writing.has(id)) return;
    const writing = keys
      .used(id, { now, unlessSince })
      .then(() => void this.#noted.set(id, now))
      .catch((error: unknown) => log.error({ err: error }, 'use of a key not recorded'))
      .finally(() => this.#writing.delete(id));
    this.#writing.set(id, writing);
  }

  async close(): Promise<void> {
    await Promise.all(this.#writing.values());
  }
}
