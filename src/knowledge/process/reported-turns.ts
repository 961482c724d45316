/*
 * Turns of the search process at building and filling indexes, in fair shares by account. Small
 * sets of files do not wait for large ones. The accounts at work are reported, because they are
 * held responsible if the process ends.
 */
import type { Clock } from '#shared/clock.ts';
import { FairTurns } from '../../work/fair-turns.ts';
import { Places } from '../../work/places.ts';
import type { IndexTurns } from '../passages.ts';

/** UTF-8 of the files of an index that is built beside a large one. */
const SMALL_BYTES = 1024 ** 2;

/** Indexes of one account that are built or wait. */
export const BUILDS_PER_ACCOUNT = 8;

/** Each has an answer of megabytes in memory, and may wait long for its endpoint. */
export const FILLS = { running: 4, perAccount: 1 };

const REFUSAL = 'Other knowledge files are being indexed. Please ask again shortly.';

export class ReportedTurns implements IndexTurns {
  readonly #report: (accountIds: string[]) => void;
  readonly #small: FairTurns;
  readonly #large: FairTurns;
  readonly #fills: FairTurns;
  readonly #builds = new Places({
    perAccount: BUILDS_PER_ACCOUNT,
    refusal: `${BUILDS_PER_ACCOUNT} sets of knowledge files of this account are being indexed.`,
    retryAfterSeconds: 10,
  });
  readonly #accountIds: string[] = [];

  /** `waitMs`: of a build. */
  constructor(clock: Pick<Clock, 'after'>, waitMs: number, report: (accountIds: string[]) => void) {
    this.#report = report;
    this.#small = new FairTurns(clock, { running: 2, waitMs, refusal: REFUSAL });
    this.#large = new FairTurns(clock, { running: 1, waitMs, refusal: REFUSAL });
    this.#fills = new FairTurns(clock, { ...FILLS, refusal: REFUSAL });
  }

  /** Throws `rate_limit` if the account has too many to build, and like `FairTurns.take`. */
  build<Result>(accountId: string, bytes: number, build: () => Promise<Result>): Promise<Result> {
    const turns = bytes > SMALL_BYTES ? this.#large : this.#small;
    const inTurn = () => turns.take(accountId, () => this.#reported(accountId, build));
    return this.#builds.hold(accountId, inTurn);
  }

  fill<Result>(accountId: string, step: () => Promise<Result>): Promise<Result> {
    return this.#fills.take(accountId, () => this.#reported(accountId, step));
  }

  async #reported<Result>(accountId: string, work: () => Promise<Result>): Promise<Result> {
    this.#accountIds.push(accountId);
    this.#report([...this.#accountIds]);
    try {
      return await work();
    } finally {
      this.#accountIds.splice(this.#accountIds.indexOf(accountId), 1);
      this.#report([...this.#accountIds]);
    }
  }
}
