/*
 * Judges the alert rules every half minute, and remembers since when each condition holds. A
 * restart resets these times, as a restart of Prometheus may do.
 */
import type { Clock } from '#shared/clock.ts';
import type { Log } from '#shared/log.ts';
import type { AlertRule } from './alert-rule.ts';
import type { Finding } from './conditions.ts';
import type { KnownState } from './known-state.ts';

export type Alert = Omit<Finding, 'severity'> &
  Pick<AlertRule, 'name' | 'severity' | 'forMinutes' | 'advice'> & {
    /** `pending`: its condition does not hold long enough yet. */
    state: 'firing' | 'pending';
    /** When its condition was first seen, in milliseconds since the epoch. */
    since: number;
  };

type AlertWatchParts = {
  rules: readonly AlertRule[];
  read: () => Promise<KnownState>;
  clock: Clock;
  log: Pick<Log, 'warn'>;
};

const EVERY_MS = 30_000;

export class AlertWatch {
  readonly #parts: AlertWatchParts;
  readonly #stop: () => void;
  #since = new Map<string, number>();
  #looking: Promise<Alert[]> | null = null;

  constructor(parts: AlertWatchParts) {
    this.#parts = parts;
    this.#stop = parts.clock.every(EVERY_MS, () => {
      this.look().catch((err: unknown) => parts.log.warn({ err }, 'alerts not judged'));
    });
  }

  /** Those that fire, then those that are pending; the critical ones first. */
  look(): Promise<Alert[]> {
    this.#looking ??= this.#judge().finally(() => {
      this.#looking = null;
    });
    return this.#looking;
  }

  async close(): Promise<void> {
    this.#stop();
    await this.#looking?.catch(() => {});
  }

  async #judge(): Promise<Alert[]> {
    const { rules, read, clock } = this.#parts;
    const knownState = await read();
    const now = clock.now();
    const sinceBefore = this.#since;
    this.#since = new Map();
    const alerts = rules.flatMap(({ holds, limit = 0, ...rule }) =>
      holds(knownState, limit).map((finding): Alert => {
        const key = `${rule.name} ${finding.about}`;
        const since = sinceBefore.get(key) ?? now;
        this.#since.set(key, since);
        const isFiring = now - since >= rule.forMinutes * 60_000;
        return { ...rule, ...finding, since, state: isFiring ? 'firing' : 'pending' };
      }),
    );
    return alerts.toSorted((a, b) => rank(a) - rank(b));
  }
}

const rank = ({ state, severity }: Alert): number =>
  (state === 'firing' ? 0 : 2) + (severity === 'critical' ? 0 : 1);
