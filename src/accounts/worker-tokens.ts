/*
 * Who may come as a worker: whoever shows WORKER_TOKEN, or a token of its own that an operator has made and may revoke. Close it before the
 * records.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { Clock } from '#shared/clock.ts';
import { newSecret } from '#shared/ids.ts';
import type { Log } from '#shared/log.ts';
import type { WorkerTokenRecord, WorkerTokenRecords } from '../records/worker-tokens.ts';

const PREFIX = 'troupe_worker_';
const USED_EVERY_MS = 60_000;

/** `tokenId`: null for WORKER_TOKEN, which ends with the process only. */
export type WorkerIdentity = { tokenId: string | null };

export type WorkerTokensParts = {
  /** WORKER_TOKEN. */
  given: string;
  records: Pick<WorkerTokenRecords, 'add' | 'findByHash' | 'used' | 'revoke'>;
  clock: Clock;
  log: Pick<Log, 'error'>;
  /** Other control planes have connections too. */
  tellOthers?: ((revokedId: string) => void) | undefined;
};

export class WorkerTokens {
  readonly #parts: WorkerTokensParts;
  readonly #given: Buffer;
  readonly #listeners = new Set<(tokenId: string) => void>();
  readonly #writing = new Set<Promise<void>>();

  constructor(parts: WorkerTokensParts) {
    this.#parts = parts;
    this.#given = digest(parts.given);
  }

  /** Who shows this header; null: nobody whom we know. */
  async check(header: string | undefined): Promise<WorkerIdentity | null> {
    const text = /^Bearer (.+)$/i.exec(header ?? '')?.[1];
    if (text === undefined) return null;
    const hash = digest(text);
    // Takes the same time whatever is wrong: digests have one length.
    if (timingSafeEqual(hash, this.#given)) return { tokenId: null };
    // Nobody can have the records searched for what is no token.
    if (!text.startsWith(PREFIX)) return null;
    const token = await this.#parts.records.findByHash(hash.toString('hex'));
    if (!token) return null;
    this.#note(token);
    return { tokenId: token.id };
  }

  /** Its text is only ever in this answer. */
  async make(name: string): Promise<WorkerTokenRecord & { text: string }> {
    const { records, clock } = this.#parts;
    const text = `${PREFIX}${newSecret(40)}`;
    const hash = digest(text).toString('hex');
    const token = await records.add({ name, hash, createdAt: clock.now() });
    return { ...token, text };
  }

  /** It opens nothing from now on, and whoever came with it is sent away. False when there is none. */
  async revoke(id: string): Promise<boolean> {
    const { records, clock, tellOthers } = this.#parts;
    if (!(await records.revoke(id, clock.now()))) return false;
    this.wasRevoked(id);
    tellOthers?.(id);
    return true;
  }

  /** Here, or at another control plane. */
  wasRevoked(id: string): void {
    for (const tell of this.#listeners) tell(id);
  }

  /** Call what it returns to stop listening. */
  onRevoked(tell: (tokenId: string) => void): () => void {
    this.#listeners.add(tell);
    return () => this.#listeners.delete(tell);
  }

  async close(): Promise<void> {
    await Promise.all(this.#writing);
  }

  #note({ id, lastUsedAt }: WorkerTokenRecord): void {
    const { records, clock, log } = this.#parts;
    const now = clock.now();
    if (lastUsedAt !== null && now - lastUsedAt < USED_EVERY_MS) return;
    const writing = records
      .used(id, now)
      .catch((err: unknown) => log.error({ err }, 'use of a worker token not recorded'))
      .finally(() => this.#writing.delete(writing));
    this.#writing.add(writing);
  }
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
