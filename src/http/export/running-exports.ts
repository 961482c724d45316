import { Fault } from '../../errors.ts';

/** One export of a kind per account: each holds records in memory while its client reads. */
export class RunningExports {
  readonly #accounts = new Set<string>();

  /** Throws `conflict` while another one runs. Call the result when the export is over. */
  begin(accountId: string): () => void {
    if (this.#accounts.has(accountId)) {
      throw new Fault('conflict', { detail: 'An export of this account is being sent.' });
    }
    this.#accounts.add(accountId);
    let isRunning = true;
    return () => {
      if (isRunning) this.#accounts.delete(accountId);
      isRunning = false;
    };
  }
}
