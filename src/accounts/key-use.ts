import type { Clock } from '#shared/clock.ts';
import type { Log } from '#shared/log.ts';
import type { ApiKeyRecord, ApiKeyRecords } from '../records/accounts/api-keys.ts';

const RECORD_EVERY_MS = 60_000;

type KeyUseParts = {
  keys: Pick<ApiKeyRecords, 'used'>;
  clock: Clock;
  log: Pick<Log, 'error'>;
};

/**
 * Records when and from where each key was last used, at most once a minute and without delaying
 * requests. Close it before the records.
 */
export class KeyUse {
  readonly #parts: KeyUseParts;
  readonly #writing = new Map<string, Promise<void>>();
  /** Last write by this process, by key id. A caller's copy of the key may be older. */
  readonly #recordedAt = new Map<string, number>();

  constructor(parts: KeyUseParts) {
    this.#parts = parts;
  }

  record({ id, lastUsedAt }: Pick<ApiKeyRecord, 'id' | 'lastUsedAt'>, address: string): void {
    const { keys, clock, log } = this.#parts;
    const now = clock.now();
    const unlessSince = now - RECORD_EVERY_MS;
    const usedAt = Math.max(lastUsedAt ?? 0, this.#recordedAt.get(id) ?? 0);
    if (usedAt > unlessSince || this.#writing.has(id)) return;
    const writing = keys
      .used(id, { now, unlessSince, address })
      .then(() => void this.#recordedAt.set(id, now))
      .catch((error: unknown) => log.error({ err: error }, 'API key use not recorded'))
      .finally(() => this.#writing.delete(id));
    this.#writing.set(id, writing);
  }

  async close(): Promise<void> {
    await Promise.all(this.#writing.values());
  }
}
