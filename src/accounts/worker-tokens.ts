/*
 * Authenticates workers by WORKER_TOKEN or by a token that an operator created and can revoke.
 * Close it before the records.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { Clock } from '#shared/clock.ts';
import { newSecret } from '#shared/ids.ts';
import type { Log } from '#shared/log.ts';
import type {
  WorkerTokenLimits,
  WorkerTokenRecord,
  WorkerTokenRecords,
} from '../records/worker-tokens.ts';

const PREFIX = 'troupe_worker_';
const USED_EVERY_MS = 60_000;

/** Permissions of a token's bearer. */
export type WorkerGrant = WorkerTokenLimits & {
  /** Null for WORKER_TOKEN, which cannot be revoked. */
  tokenId: string | null;
  /** SHA-256 of the token in hex. */
  tokenHash: string;
};

/** The token's text is returned only when it is made. */
type IssuedWorkerToken = WorkerTokenRecord & { text: string };

/** Runs `revoke` on the records and returns what it returns. */
type CommitRevocation = (
  revoke: (records: Pick<WorkerTokenRecords, 'revoke'>) => Promise<boolean>,
) => Promise<boolean>;

type WorkerTokensParts = {
  /** WORKER_TOKEN. */
  configuredToken: string;
  records: Pick<WorkerTokenRecords, 'add' | 'findByHash' | 'liveAmong' | 'used' | 'revoke'>;
  clock: Clock;
  log: Pick<Log, 'error'>;
  /** Announces a revocation to the other control planes, which disconnect their workers. */
  publishRevoked?: ((revokedId: string) => void) | undefined;
};

export class WorkerTokens {
  readonly #parts: WorkerTokensParts;
  readonly #configuredHash: Buffer;
  readonly #listeners = new Set<(tokenId: string) => void>();
  readonly #writing = new Set<Promise<void>>();

  constructor(parts: WorkerTokensParts) {
    this.#parts = parts;
    this.#configuredHash = digest(parts.configuredToken);
  }

  /** Takes the Authorization header. Null if the token is missing, unknown or revoked. */
  async check(header: string | undefined): Promise<WorkerGrant | null> {
    const text = /^Bearer (.+)$/i.exec(header ?? '')?.[1];
    if (text === undefined) return null;
    const hash = digest(text);
    const tokenHash = hash.toString('hex');
    // Constant time: digests have equal length.
    if (timingSafeEqual(hash, this.#configuredHash))
      return { tokenId: null, tokenHash, kind: null, pool: null };
    // Other text never costs a database query.
    if (!text.startsWith(PREFIX)) return null;
    const token = await this.#parts.records.findByHash(tokenHash);
    if (!token) return null;
    this.#recordUse(token);
    const { id: tokenId, kind, pool } = token;
    return { tokenId, tokenHash, kind, pool };
  }

  /** Those of the ids whose tokens are revoked, in one query. */
  async revokedAmong(ids: string[]): Promise<string[]> {
    const liveIds = new Set(await this.#parts.records.liveAmong(ids));
    return ids.filter((id) => !liveIds.has(id));
  }

  async make(
    name: string,
    limits: Partial<WorkerTokenLimits> = {},
    records: Pick<WorkerTokenRecords, 'add'> = this.#parts.records,
  ): Promise<IssuedWorkerToken> {
    const { clock } = this.#parts;
    const { kind = null, pool = null } = limits;
    const text = `${PREFIX}${newSecret(40)}`;
    const hash = digest(text).toString('hex');
    const token = await records.add({ name, hash, kind, pool, createdAt: clock.now() });
    return { ...token, text };
  }

  /**
   * Revokes the token and disconnects its workers. False if there is no such token. `commit` runs
   * the change, perhaps in a transaction.
   */
  async revoke(
    id: string,
    commit: CommitRevocation = (revoke) => revoke(this.#parts.records),
  ): Promise<boolean> {
    const { clock, publishRevoked } = this.#parts;
    if (!(await commit((records) => records.revoke(id, clock.now())))) return false;
    this.notifyRevoked(id);
    publishRevoked?.(id);
    return true;
  }

  /** Notifies listeners of a revocation, made here or at another control plane. */
  notifyRevoked(id: string): void {
    for (const listener of this.#listeners) listener(id);
  }

  /** Returns a function that removes the listener. */
  onRevoked(listener: (tokenId: string) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async close(): Promise<void> {
    await Promise.all(this.#writing);
  }

  #recordUse({ id, lastUsedAt }: WorkerTokenRecord): void {
    const { records, clock, log } = this.#parts;
    const now = clock.now();
    if (lastUsedAt !== null && now - lastUsedAt < USED_EVERY_MS) return;
    const writing = records
      .used(id, now)
      .catch((err: unknown) => log.error({ err }, 'worker token use not recorded'))
      .finally(() => this.#writing.delete(writing));
    this.#writing.add(writing);
  }
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
