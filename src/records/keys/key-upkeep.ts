/*
 * Follows key rotations while the service runs: switches to the newest key and re-encrypts the
 * records with it in the background. Every control plane does so.
 */
import { delay, type Clock } from '#shared/clock.ts';
import type { Log } from '#shared/log.ts';
import { endRound, requestRound, type Rounds } from '#shared/rounds.ts';
import type { BlobFiles } from '../engine/blob-files.ts';
import type { Database } from '../engine/database.ts';
import type { Encryptor } from '../engine/encryption/encryptor.ts';
import type { Keyring } from '../engine/encryption/keyring.ts';
import { keyRecords, type KeyRecord } from './key-records.ts';
import { reencrypt } from './reencryption.ts';

export type KeyUpkeepParts = {
  db: Database;
  files: BlobFiles;
  keyring: Keyring;
  encryptor: Encryptor;
  clock: Clock;
  log: Log;
};

/** How soon a rotation takes effect. */
export const REFRESH_MS = 10_000;
/** Until then, other control planes may still encrypt with the key before. */
export const SETTLE_MS = 30_000;
/** Leaves time for requests. */
const PAUSE_MS = 20;
const RETRY_MS = 3_600_000;

export class KeyUpkeep {
  readonly #parts: KeyUpkeepParts;
  readonly #closing = new AbortController();
  #rounds: Rounds = 'idle';
  #running: Promise<void> = Promise.resolve();
  #stopTimer: () => void = () => {};
  /** By the monotonic clock: wall clocks of different machines differ. */
  #reencryptAt = 0;
  #seenId: string | null = null;

  constructor(parts: KeyUpkeepParts) {
    this.#parts = parts;
  }

  start(): void {
    this.#stopTimer = this.#parts.clock.every(REFRESH_MS, () => this.#request());
    this.#request();
  }

  async close(): Promise<void> {
    this.#stopTimer();
    this.#closing.abort();
    await this.#running;
  }

  #request(): void {
    if (this.#rounds === 'idle') this.#running = this.#run();
    else this.#rounds = requestRound(this.#rounds);
  }

  async #run(): Promise<void> {
    this.#rounds = 'running';
    while (this.#rounds !== 'idle' && !this.#closing.signal.aborted) {
      try {
        await this.#refresh();
      } catch (err) {
        if (!this.#closing.signal.aborted) this.#parts.log.warn({ err }, 'keys not refreshed');
      }
      this.#rounds = endRound(this.#rounds);
    }
  }

  async #refresh(): Promise<void> {
    const { clock } = this.#parts;
    const newest = await this.#useNewest();
    if (!newest) return;
    if (newest.id !== this.#seenId) {
      this.#seenId = newest.id;
      this.#reencryptAt = clock.elapsed() + SETTLE_MS;
    }
    if (newest.completedAt === null && clock.elapsed() >= this.#reencryptAt) {
      await this.#reencrypt(newest);
    }
  }

  /** Null if there is no key, or if the newest was not given to this control plane. */
  async #useNewest(): Promise<KeyRecord | null> {
    const { db, keyring, log } = this.#parts;
    const newest = (await keyRecords(db).list()).at(-1);
    if (!newest || newest.id === keyring.current.id) return newest ?? null;
    if (!keyring.use(newest.id)) {
      log.error({ keyId: newest.id }, 'current secret key missing: add it to this control plane');
      return null;
    }
    log.info({ keyId: newest.id }, 'secret key changed');
    return newest;
  }

  async #reencrypt(key: KeyRecord): Promise<void> {
    const { clock, log } = this.#parts;
    let checkAt = clock.elapsed() + REFRESH_MS;
    const pause = async () => {
      await delay(clock, PAUSE_MS, this.#closing.signal);
      if (clock.elapsed() < checkAt) return true;
      checkAt = clock.elapsed() + REFRESH_MS;
      // Else this control plane would encrypt with a key that another is about to retire.
      return (await this.#useNewest())?.id === key.id;
    };
    const onFailure = (place: string, err: unknown) =>
      log.error({ place, err }, 'value not re-encrypted');
    const result = await reencrypt({ ...this.#parts, pause, onFailure }, key.id);
    // Rotated again meanwhile: the next round continues with the newer key.
    if (!result) return;
    const { changed, failed } = result;
    if (failed > 0) {
      this.#reencryptAt = clock.elapsed() + RETRY_MS;
      log.error({ keyId: key.id, changed, failed }, 'records not re-encrypted completely');
      return;
    }
    await keyRecords(this.#parts.db).complete(key, clock.now());
    log.info({ keyId: key.id, changed }, 'records re-encrypted');
  }
}
