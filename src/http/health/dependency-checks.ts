/*
 * Checks what the service depends on, each within a time limit. A check that hangs is not started a
 * second time, so many requests cannot pile up queries. Errors go to the log only: callers may be
 * strangers.
 */
import { inTime, type Clock } from '#shared/clock.ts';
import type { Log } from '#shared/log.ts';

export const DEPENDENCIES = [
  'database',
  'redis',
  'media_server',
  'gateway',
  'workers',
  'disk',
] as const;
export type Dependency = (typeof DEPENDENCIES)[number];

/** Resolves if the dependency can be used, and rejects with the reason for the log if not. */
export type Check = () => Promise<void>;

/** Null: the service does not use the dependency. */
type Checks = Record<Dependency, Check | null>;

export const CHECK_STATUSES = ['ok', 'failed', 'timed_out'] as const;
export type CheckStatus = (typeof CHECK_STATUSES)[number];
export type CheckResult = { status: CheckStatus; ms: number };

/** Below the usual patience of health checks. */
export const CHECK_WITHIN_MS = 2_000;

class TimedOut extends Error {
  override readonly name = 'TimedOut';
}

type Run = { startedAt: number; done: Promise<void> };

export class DependencyChecks {
  readonly #checks: Checks;
  readonly #clock: Clock;
  readonly #log: Pick<Log, 'warn' | 'info'>;
  readonly #running = new Map<Dependency, Run>();
  readonly #unavailable = new Set<Dependency>();

  constructor(checks: Checks, { clock, log }: { clock: Clock; log: Pick<Log, 'warn' | 'info'> }) {
    this.#checks = checks;
    this.#clock = clock;
    this.#log = log;
  }

  async run(): Promise<Partial<Record<Dependency, CheckResult>>> {
    const used = DEPENDENCIES.filter((name) => this.#checks[name]);
    const results = await Promise.all(
      used.map(async (name) => [name, await this.#check(name)] as const),
    );
    return Object.fromEntries(results);
  }

  async #check(name: Dependency): Promise<CheckResult> {
    const { startedAt, done } = this.#running.get(name) ?? this.#start(name);
    const limited = inTime(this.#clock, CHECK_WITHIN_MS, done, () => new TimedOut('no answer'));
    const status = await limited.then(
      () => this.#available(name),
      (error: unknown) => this.#failed(name, error),
    );
    return { status, ms: Math.round((this.#clock.elapsed() - startedAt) * 10) / 10 };
  }

  #start(name: Dependency): Run {
    const done = (async () => this.#checks[name]?.())().finally(() => this.#running.delete(name));
    const run = { startedAt: this.#clock.elapsed(), done };
    this.#running.set(name, run);
    return run;
  }

  #available(dependency: Dependency): CheckStatus {
    if (this.#unavailable.delete(dependency)) this.#log.info({ dependency }, 'dependency is back');
    return 'ok';
  }

  /** Logs the change only: health checks come every few seconds. */
  #failed(dependency: Dependency, error: unknown): CheckStatus {
    if (!this.#unavailable.has(dependency)) {
      this.#unavailable.add(dependency);
      // A stack would name this file only.
      const reason = error instanceof Error ? error.message : String(error);
      this.#log.warn({ dependency, reason }, 'dependency unavailable');
    }
    return error instanceof TimedOut ? 'timed_out' : 'failed';
  }
}
