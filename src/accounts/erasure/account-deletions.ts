/*
 * Deletes accounts in the background. An interrupted deletion resumes at the next start or hour.
 * Close it before the records.
 */
import { delay, type Clock } from '#shared/clock.ts';
import type { Log } from '#shared/log.ts';
import type { Blobs } from '../../records/blobs.ts';
import type { AccountDeletion, AccountErasure } from '../../records/erasure/account-erasure.ts';

const BATCH = 200;
const PAUSE_MS = 50;
/** Pause while its last sessions end. */
const WAIT_MS = 5_000;
const RESUME_EVERY_MS = 3_600_000;

/** Runs `begin` on the records and returns what it returns. */
type CommitDeletion = (
  begin: (erasure: Pick<AccountErasure, 'begin'>) => Promise<AccountDeletion | null>,
) => Promise<AccountDeletion | null>;

type AccountDeletionsParts = {
  erasure: AccountErasure;
  blobs: Pick<Blobs, 'release'>;
  /** Ends the account's live sessions. */
  endSessions: (accountId: string) => Promise<void>;
  /** Called after an account's keys are revoked. */
  keysChanged: () => void;
  clock: Clock;
  log: Log;
};

export class AccountDeletions {
  readonly #parts: AccountDeletionsParts;
  readonly #stop = new AbortController();
  readonly #running = new Map<string, Promise<void>>();
  #cancel: () => void = () => {};

  constructor(parts: AccountDeletionsParts) {
    this.#parts = parts;
  }

  start(): void {
    const { clock, log } = this.#parts;
    this.#cancel = clock.after(RESUME_EVERY_MS, () => this.start());
    this.#resume().catch((err: unknown) => log.error({ err }, 'account deletions not resumed'));
  }

  /**
   * Null if there is no such account. A repeated request finds the running deletion. `commit`
   * runs the change, perhaps in a transaction.
   */
  async begin(
    accountId: string,
    commit: CommitDeletion = (begin) => begin(this.#parts.erasure),
  ): Promise<AccountDeletion | null> {
    const { clock, keysChanged } = this.#parts;
    const deletion = await commit((erasure) => erasure.begin(accountId, clock.now()));
    keysChanged();
    if (deletion?.completedAt === null) this.#run(accountId);
    return deletion;
  }

  find(accountId: string): Promise<AccountDeletion | null> {
    return this.#parts.erasure.find(accountId);
  }

  async close(): Promise<void> {
    this.#stop.abort();
    this.#cancel();
    await Promise.all(this.#running.values());
  }

  async #resume(): Promise<void> {
    for (const accountId of await this.#parts.erasure.pending()) this.#run(accountId);
  }

  #run(accountId: string): void {
    if (this.#running.has(accountId) || this.#stop.signal.aborted) return;
    const running = this.#erase(accountId)
      .catch((err: unknown) => {
        if (this.#stop.signal.aborted) return;
        this.#parts.log.error({ accountId, err }, 'account not deleted yet');
      })
      .finally(() => this.#running.delete(accountId));
    this.#running.set(accountId, running);
  }

  async #erase(accountId: string): Promise<void> {
    const { erasure, blobs, endSessions, clock, log } = this.#parts;
    await endSessions(accountId);
    for (;;) {
      const step = await erasure.step(accountId, BATCH, clock.now());
      await blobs.release(step.blobs);
      if (step.state === 'completed') return log.info({ accountId }, 'account deleted');
      if (step.state === 'waiting') await endSessions(accountId);
      await delay(clock, step.state === 'waiting' ? WAIT_MS : PAUSE_MS, this.#stop.signal);
    }
  }
}
