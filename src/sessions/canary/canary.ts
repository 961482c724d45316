/*
 * Tries a pool of workers, for example of a new version, with a share of the new sessions of
 * another pool, and stops when more of them fail. The records hold the trial and its counts, so
 * that all control planes act alike and a restart forgets nothing.
 *
 * Only the first placement of a session is on trial: when it needs another worker, it gets one of
 * its own pool. Sessions go on where they are when the trial stops.
 */
import type { Clock } from '#shared/clock.ts';
import type { Log } from '#shared/log.ts';
import type { AuditLog } from '../../records/audit/audit-log.ts';
import type { Arm, CanaryRecord, CanaryRecords, Tally } from '../../records/fleet/canaries.ts';
import type { SessionEvents } from '../session-events.ts';
import { isWorse } from './judge-canary.ts';

type CanaryParts = {
  records: Pick<CanaryRecords, 'find' | 'count' | 'stop'>;
  auditLog: Pick<AuditLog, 'add'>;
  /** Events of the sessions that this control plane owns. */
  events: SessionEvents;
  clock: Clock;
  log: Log;
  random?: () => number;
};

type Placed = {
  trialId: string;
  arm: Arm;
  at: number;
  isCounted: boolean;
  hasFailed: boolean;
};

/** Ends that the worker is to blame for. */
const FAILED = new Set(['never_started', 'worker_lost']);

/** How soon this control plane notices what another one has changed. */
const LOOK_EVERY_MS = 5_000;
/** A session that was not counted by then was never created. */
const FORGET_AFTER_MS = 180_000;

export class Canary {
  readonly #parts: CanaryParts;
  readonly #placed = new Map<string, Placed>();
  #current: CanaryRecord | null = null;
  #stopLooking: () => void = () => {};
  #working: Promise<void> = Promise.resolve();

  constructor(parts: CanaryParts) {
    this.#parts = parts;
    const { events } = parts;
    events.on('session.started', ({ session }) => this.#began(session.id));
    events.on('session.lost', ({ session }) => this.#failed(session.id));
    events.on('session.timeline', ({ sessionId, entry }) => {
      if (entry.kind === 'declined') this.#failed(sessionId);
    });
    events.on('session.ended', ({ session: { id, endReason } }) => {
      if (endReason !== null && FAILED.has(endReason)) this.#failed(id);
      this.#placed.delete(id);
    });
  }

  get current(): CanaryRecord | null {
    return this.#current;
  }

  async start(): Promise<void> {
    await this.refresh();
    this.#stopLooking = this.#parts.clock.every(LOOK_EVERY_MS, () =>
      this.#inTurn(() => this.#look()),
    );
  }

  /** Resolves when nothing is being counted. */
  async close(): Promise<void> {
    this.#stopLooking();
    await this.#working;
  }

  /** Call when the trial was changed. */
  refresh(): Promise<void> {
    return this.#inTurn(() => this.#look());
  }

  /** The pool that a new session of `pool` tries first; null: only its own. */
  poolFor(pool: string): string | null {
    const current = this.#onTrial(pool);
    const { random = Math.random } = this.#parts;
    return current && random() * 100 < current.sharePercent ? current.pool : null;
  }

  /** A session of `pool` was placed in that pool, or in the one on trial. */
  placed(sessionId: string, pool: string, isOnTrial: boolean): void {
    const current = this.#onTrial(pool);
    if (!current) return;
    this.#placed.set(sessionId, {
      trialId: current.id,
      arm: isOnTrial ? 'canary' : 'stable',
      at: this.#parts.clock.elapsed(),
      isCounted: false,
      hasFailed: false,
    });
  }

  #onTrial(pool: string): CanaryRecord | null {
    const current = this.#current;
    return current?.stoppedAt === null && current.stablePool === pool ? current : null;
  }

  #began(sessionId: string): void {
    const placed = this.#placed.get(sessionId);
    if (placed && !placed.isCounted) this.#count(placed, 0);
  }

  #failed(sessionId: string): void {
    const placed = this.#placed.get(sessionId);
    if (!placed || placed.hasFailed) return;
    placed.hasFailed = true;
    this.#count(placed, 1);
  }

  #count(placed: Placed, failures: number): void {
    const added: Tally = { sessions: placed.isCounted ? 0 : 1, failures };
    placed.isCounted = true;
    const { trialId, arm } = placed;
    void this.#inTurn(async () => {
      const counted = await this.#parts.records.count(trialId, arm, added);
      if (!counted) return;
      this.#current = counted;
      await this.#judge(counted);
    });
  }

  async #look(): Promise<void> {
    this.#current = await this.#parts.records.find();
    // A control plane may have counted a failure and gone before it judged.
    if (this.#current) await this.#judge(this.#current);
    const { clock } = this.#parts;
    for (const [id, { isCounted, at }] of this.#placed)
      if (!isCounted && clock.elapsed() - at > FORGET_AFTER_MS) this.#placed.delete(id);
  }

  async #judge(trial: CanaryRecord): Promise<void> {
    if (trial.stoppedAt !== null || !isWorse(trial.tallies)) return;
    const { records, auditLog, clock, log } = this.#parts;
    const now = clock.now();
    this.#current = { ...trial, stoppedAt: now };
    if (!(await records.stop(trial.id, now))) return;
    const { id, pool, stablePool, tallies } = trial;
    log.error({ pool, stablePool, ...tallies }, 'canary stopped: it fails more often');
    await auditLog.add({
      accountId: null,
      actor: { type: 'service', id: null, name: null },
      address: null,
      action: 'canary.stopped',
      targetId: id,
      before: null,
      after: { pool, stable_pool: stablePool, ...tallies },
      createdAt: now,
    });
  }

  /** Counts follow each other, so that a later result is not overwritten by an earlier one. */
  #inTurn(run: () => Promise<void>): Promise<void> {
    this.#working = this.#working
      .then(run)
      .catch((err: unknown) => this.#parts.log.warn({ err }, 'canary not counted'));
    return this.#working;
  }
}
