/*
 * Recovers live sessions that no control plane owns: after a restart, after the loss of another
 * control plane, or when the reconciler finds one. Detects workers whose disconnect was not
 * reported.
 *
 * Close it before the live sessions.
 */
import type { Clock } from '#shared/clock.ts';
import type { Log } from '#shared/log.ts';
import type { Fleet } from '../../fleet/fleet.ts';
import type { SessionOwnership } from '../../cluster/session-ownership.ts';
import type { SessionRecord, SessionRecords } from '../../records/sessions/sessions.ts';
import { adoptOwnership } from '../cluster/claim-ownership.ts';
import type { LiveSession } from '../live/live-session.ts';
import type { LiveSessions } from '../live/live-sessions.ts';
import type { SessionTimes } from '../session-times.ts';
import { awaitClaims } from './await-claims.ts';

type SessionRecoveryParts = {
  records: Pick<SessionRecords, 'live' | 'findAny'>;
  fleet: Pick<Fleet, 'workers'>;
  /** Set when several control planes share the sessions. */
  ownership?: SessionOwnership | undefined;
  times: Pick<SessionTimes, 'claimMs' | 'retryMs'>;
  clock: Clock;
  log: Log;
  live: Pick<LiveSessions, 'add' | 'has' | 'get' | 'values'>;
};

export class SessionRecovery {
  readonly #parts: SessionRecoveryParts;
  readonly #stopTimers: (() => void)[] = [];
  /** Sessions that another control plane may still own. */
  readonly #undecided = new Set<string>();
  #isDeciding = false;
  #isClosed = false;

  constructor(parts: SessionRecoveryParts) {
    this.#parts = parts;
  }

  /** Recovers every live session that no other control plane owns. */
  async recover(): Promise<void> {
    this.#decideLater(await this.#recover(await this.#parts.records.live()));
  }

  /** Retried: no other control plane is asked to take over this node's sessions. */
  async takeOver(node: string): Promise<void> {
    const { times, log } = this.#parts;
    try {
      await this.#takeOver(node);
    } catch (err) {
      log.warn({ node, err }, 'sessions not taken over');
      this.#later(times.retryMs, () => void this.takeOver(node));
    }
  }

  /** Recovers a session that a worker claims. Rejects if another control plane may own it. */
  async adoptById(sessionId: string): Promise<void> {
    const { records, live } = this.#parts;
    const record = await records.findAny(sessionId);
    if (!record || record.status === 'completed') return;
    this.#decideLater(await this.#recover([record]));
    if (!live.has(sessionId)) throw new Error('another control plane may own the session');
  }

  /** Recovers a session of which this control plane's knowledge is outdated. */
  recoverSoon(sessionId: string): void {
    this.#decideLater([sessionId]);
  }

  /**
   * Places the session again unless a worker performs it. False: another control plane may own it.
   * Without `ownership` that is so for any session whose worker is not connected here.
   */
  async adopt(record: SessionRecord, isWorkerHere: boolean): Promise<boolean> {
    const { ownership, live } = this.#parts;
    if (live.has(record.id) || !(ownership || isWorkerHere)) return false;
    if ((await adoptOwnership(ownership, record.id)) !== 'owned') return false;
    if (live.has(record.id)) return false;
    const session = live.add(record, null);
    session.begin();
    await this.#askWorkers().finally(() => session.unclaimed());
    return true;
  }

  /** Notices about workers may have been lost: those not connected after `claimMs` are gone. */
  lookForWorkers(): void {
    const { times, log } = this.#parts;
    const look = () =>
      this.#loseMissingWorkers().catch((err: unknown) => {
        log.warn({ err }, 'missing workers not detected');
        this.lookForWorkers();
      });
    this.#later(times.claimMs, () => void look());
  }

  close(): void {
    this.#isClosed = true;
    for (const stop of this.#stopTimers.splice(0)) stop();
  }

  async #takeOver(node: string): Promise<void> {
    const { ownership, records } = this.#parts;
    const owned = new Set(await ownership?.ownedBy(node));
    const live = (await records.live()).filter(({ id }) => owned.delete(id));
    this.#decideLater(await this.#recover(live));
    // Sessions that were never saved, or had ended.
    for (const id of owned)
      if ((await ownership?.adopt(id)) === 'owned') await ownership?.release(id);
    await this.#askWorkers();
  }

  /** Returns the sessions that another control plane may still own. */
  async #recover(records: SessionRecord[]): Promise<string[]> {
    const { ownership, clock, log, times, live } = this.#parts;
    const recoveredSessions: LiveSession[] = [];
    const unclear: string[] = [];
    try {
      for (const record of records) {
        if (live.has(record.id)) continue;
        const adoption = await adoptOwnership(ownership, record.id);
        if (adoption === 'unclear') unclear.push(record.id);
        // A worker may have claimed it meanwhile.
        if (adoption !== 'owned' || live.has(record.id)) continue;
        const session = live.add(record, null);
        session.begin();
        recoveredSessions.push(session);
      }
    } finally {
      const askWorkers = () => this.#askWorkers();
      if (recoveredSessions.length > 0)
        this.#keep(
          awaitClaims(recoveredSessions, { clock, log, claimMs: times.claimMs, askWorkers }),
        );
    }
    return unclear;
  }

  /** Their owners have a moment to claim them. */
  #decideLater(sessionIds: string[]): void {
    const { times, log } = this.#parts;
    for (const sessionId of sessionIds) this.#undecided.add(sessionId);
    if (this.#undecided.size === 0 || this.#isDeciding) return;
    this.#isDeciding = true;
    this.#later(times.retryMs, () => {
      this.#isDeciding = false;
      this.#decide().catch((err: unknown) => {
        log.warn({ err }, 'owners of sessions still not clear');
        this.#decideLater([]);
      });
    });
  }

  /** Reads the records of its own sessions only, and then: an owner may have changed them last. */
  async #decide(): Promise<void> {
    const { ownership, records } = this.#parts;
    const decidedIds: string[] = [];
    const ownRecords: SessionRecord[] = [];
    for (const sessionId of this.#undecided) {
      const adoption = await adoptOwnership(ownership, sessionId);
      if (adoption === 'unclear') continue;
      decidedIds.push(sessionId);
      const record = adoption === 'owned' ? await records.findAny(sessionId) : null;
      if (record && record.status !== 'completed') ownRecords.push(record);
      else if (adoption === 'owned') await ownership?.release(sessionId);
    }
    await this.#recover(ownRecords);
    for (const sessionId of decidedIds) this.#undecided.delete(sessionId);
    this.#decideLater([]);
  }

  /** Claims sessions without a worker for connected workers that already perform them. */
  async #askWorkers(): Promise<void> {
    const { fleet, live, log } = this.#parts;
    for (const { facts, performing } of await fleet.workers())
      for (const placement of performing ?? []) {
        const session = live.get(placement.sessionId);
        if (session?.isPlaced !== false) continue;
        session
          .handle(placement, { type: 'claimed', workerId: facts.workerId })
          .catch((err: unknown) => log.warn({ ...placement, err }, 'session not claimed'));
      }
  }

  async #loseMissingWorkers(): Promise<void> {
    const { fleet, live } = this.#parts;
    const connected = new Set((await fleet.workers()).map(({ facts }) => facts.workerId));
    for (const session of live.values()) {
      const workerId = session.lease?.workerId;
      // The worker may still be alive.
      if (workerId !== undefined && !connected.has(workerId)) session.lost(workerId, true);
    }
  }

  #later(ms: number, run: () => void): void {
    this.#keep(this.#parts.clock.after(ms, run));
  }

  #keep(stop: () => void): void {
    if (this.#isClosed) stop();
    else this.#stopTimers.push(stop);
  }
}
