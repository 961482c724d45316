/*
 * Counts what a call costs, and reports the totals to the control plane, which answers what is
 * left. Nothing waits for an answer: between two of them the worker counts down by itself. While
 * the control plane is away, the last answer holds.
 */
import { backoffMs, type Backoff } from '#shared/backoff.ts';
import { delay, type Clock } from '#shared/clock.ts';
import type { Log } from '#shared/log.ts';
import type { CallAllowance, CallBrief, CallSpending } from '#protocol/call-brief.ts';
import { CallRefused, type CallControl } from './call-control.ts';

/** A busy call reports this often, and a quiet one often enough to learn what others spend. */
const REPORT_MS = 1_000;
const QUIET_MS = 60_000;
const RETRY: Backoff = { firstMs: 500, maxMs: 30_000 };

type CallBudgetParts = {
  /** Absent on older control planes: nothing is limited or reported. */
  budget: CallBrief['budget'];
  control: Pick<CallControl, 'reportSpending'>;
  clock: Clock;
  log: Log;
};

export class CallBudget {
  /** Null: as many as the call may have. */
  readonly textsPerTenMinutes: number | null;
  readonly #parts: CallBudgetParts;
  readonly #totals: CallSpending;
  readonly #stop = new AbortController();
  /** The totals for which `#left` was answered. */
  #reported: CallSpending;
  #left: CallAllowance;
  #reporting: Promise<void> | null = null;
  #closing: Promise<void> | null = null;
  #cancelQuiet: () => void = () => {};
  #onUsedUp: (() => void) | null = null;

  constructor(parts: CallBudgetParts) {
    const { budget } = parts;
    this.#parts = parts;
    this.#totals = { ...(budget?.spent ?? { modelTokens: 0, speechCharacters: 0, texts: 0 }) };
    this.#reported = { ...this.#totals };
    this.#left = budget?.left ?? {};
    this.textsPerTenMinutes = budget?.textsPerTenMinutes ?? null;
  }

  /** Calls `onUsedUp` once, at once if nothing is left already. */
  start(onUsedUp: () => void): void {
    this.#onUsedUp = onUsedUp;
    this.#judge();
    this.#waitQuietly();
  }

  add(spent: Partial<CallSpending>): void {
    for (const unit of UNITS) this.#totals[unit] += spent[unit] ?? 0;
    this.#judge();
    this.#report();
  }

  get isUsedUp(): boolean {
    const { seconds = Infinity } = this.#left;
    return (
      seconds <= 0 || this.#leftOf('modelTokens') <= 0 || this.#leftOf('speechCharacters') <= 0
    );
  }

  /** How many texts the visitor may type now, in all calls together. */
  get textsLeft(): number {
    return this.#leftOf('texts');
  }

  /** Tries for `withinMs` to report the last costs. Later calls wait for the first. */
  close(withinMs: number): Promise<void> {
    this.#closing ??= this.#close(withinMs);
    return this.#closing;
  }

  async #close(withinMs: number): Promise<void> {
    const { clock, log } = this.#parts;
    const isRefused = this.#stop.signal.aborted;
    this.#stop.abort(new Error('over'));
    this.#cancelQuiet();
    this.#onUsedUp = null;
    const tooLate = new AbortController();
    const cancel = clock.after(withinMs, () => tooLate.abort(new Error('timed out')));
    await this.#reporting;
    if (this.#isUnreported && !isRefused) await this.#reportOnce(tooLate.signal);
    cancel();
    if (this.#isUnreported) log.warn('the last costs of a call were not reported');
  }

  #leftOf(unit: keyof CallSpending): number {
    const { [unit]: left = Infinity } = this.#left;
    return left - (this.#totals[unit] - this.#reported[unit]);
  }

  get #isUnreported(): boolean {
    const isLimited = this.#parts.budget !== undefined;
    return isLimited && UNITS.some((unit) => this.#totals[unit] !== this.#reported[unit]);
  }

  #judge(): void {
    if (!this.isUsedUp) return;
    const onUsedUp = this.#onUsedUp;
    this.#onUsedUp = null;
    onUsedUp?.();
  }

  #report(): void {
    if (this.#parts.budget === undefined || this.#stop.signal.aborted) return;
    this.#reporting ??= this.#reportAll().finally(() => {
      this.#reporting = null;
      this.#waitQuietly();
    });
  }

  async #reportAll(): Promise<void> {
    const { signal } = this.#stop;
    do {
      await this.#reportOnce(signal);
      await delay(this.#parts.clock, REPORT_MS, signal).catch(() => {});
    } while (this.#isUnreported && !signal.aborted);
  }

  /** Retries until the totals are answered. A refusal ends all reports. */
  async #reportOnce(signal: AbortSignal): Promise<void> {
    const { control, clock, log } = this.#parts;
    for (let attempt = 1; !signal.aborted; attempt += 1) {
      const totals = { ...this.#totals };
      try {
        this.#left = await control.reportSpending(totals, signal);
        this.#reported = totals;
        this.#judge();
        return;
      } catch (error) {
        if (signal.aborted) return;
        log.warn({ err: error }, 'failed to report the costs of a call');
        if (error instanceof CallRefused) return this.#stop.abort(error);
        await delay(clock, backoffMs(attempt, RETRY), signal).catch(() => {});
      }
    }
  }

  /** The next report, unless the call costs something before. */
  #waitQuietly(): void {
    this.#cancelQuiet();
    if (this.#parts.budget === undefined || this.#stop.signal.aborted) return;
    const { seconds = Infinity } = this.#left;
    const waitMs = Math.max(REPORT_MS, Math.min(QUIET_MS, seconds * 1_000));
    this.#cancelQuiet = this.#parts.clock.after(waitMs, () => this.#report());
  }
}

const UNITS = ['modelTokens', 'speechCharacters', 'texts'] as const;
