/*
 * Sessions that the records know as live and that live nowhere are taken up: after a restart, when another control plane is gone, or by the
 * audit's word. And workers whose going nobody has told of are missed.
 *
 * Closed by Sessions, which has the sessions.
 */
import type { Clock } from '#shared/clock.ts';
import type { Log } from '#shared/log.ts';
import type { Fleet, Placement } from '../../fleet/fleet.ts';
import type { SessionOwnership } from '../../cluster/session-ownership.ts';
import type { SessionRecord, SessionRecords } from '../../records/sessions/sessions.ts';
import type { LiveSession } from '../live-session.ts';
import type { LiveSessions } from '../live-sessions.ts';
import { awaitClaims } from './await-claims.ts';

export type SessionRecoveryParts = {
  records: Pick<SessionRecords, 'live' | 'findAny'>;
  fleet: Pick<Fleet, 'workers'>;
  /** Where several control planes share the sessions. */
  ownership?: SessionOwnership | undefined;
  clock: Clock;
  log: Log;
  /** How long workers have to come back. */
  claimMs: number;
  /** How long to wait before what failed is tried again. */
  retryMs: number;
  /** Those that live here. */
  live: Pick<LiveSessions, 'has' | 'get' | 'values'>;
  /** Makes it one of them. */
  add: (record: SessionRecord) => LiveSession;
  /** It lives at no other control plane. */
  isOurs: (record: SessionRecord) => Promise<boolean>;
  claim: (placement: Placement, workerId: string) => boolean;
};

export class SessionRecovery {
  readonly #parts: SessionRecoveryParts;
  /** Each stops one. */
  readonly #timers: (() => void)[] = [];
  #isClosed = false;

  constructor(parts: SessionRecoveryParts) {
    this.#parts = parts;
  }

  /** All that live nowhere. */
  async recover(): Promise<void> {
    await this.#takeUp(await this.#parts.records.live());
  }

  /** Those of a control plane that is gone. Nobody else is told so: what fails is tried again. */
  async takeOver(node: string): Promise<void> {
    const { log, retryMs } = this.#parts;
    try {
      await this.#takeOver(node);
    } catch (err) {
      log.warn({ node, err }, 'sessions not taken over');
      this.#later(retryMs, () => void this.takeOver(node));
    }
  }

  /** One of which a worker says that it performs it. */
  async adoptById(sessionId: string): Promise<void> {
    const record = await this.#parts.records.findAny(sessionId);
    if (record && record.status !== 'completed') await this.#takeUp([record]);
  }

  /**
   * Placed again, unless a worker performs it. False: it may live at another control plane, as where nobody keeps homes any session may whose
   * worker is not connected here.
   */
  async adopt(record: SessionRecord, isWorkerHere: boolean): Promise<boolean> {
    const { ownership, live, isOurs, add } = this.#parts;
    if (live.has(record.id) || !(ownership || isWorkerHere)) return false;
    if (!(await isOurs(record))) return false;
    const session = add(record);
    session.begin();
    await this.#askWorkers().finally(() => session.unclaimed());
    return true;
  }

  /** What was told of workers may have been lost: those that are not there after a while are gone. */
  lookForWorkers(): void {
    const { log, claimMs } = this.#parts;
    const look = () =>
      this.#missWorkers().catch((err: unknown) => {
        log.warn({ err }, 'workers not looked for');
        this.lookForWorkers();
      });
    this.#later(claimMs, () => void look());
  }

  close(): void {
    this.#isClosed = true;
    for (const stop of this.#timers.splice(0)) stop();
  }

  async #takeOver(node: string): Promise<void> {
    const { ownership, records } = this.#parts;
    const left = new Set(await ownership?.at(node));
    const live = (await records.live()).filter(({ id }) => left.delete(id));
    await this.#takeUp(live);
    // What it had not saved, or had ended.
    for (const id of left) if (await ownership?.settle(id)) await ownership?.leave(id);
    await this.#askWorkers();
  }

  async #takeUp(records: SessionRecord[]): Promise<void> {
    const { clock, log, claimMs, live, isOurs, add } = this.#parts;
    const revived: LiveSession[] = [];
    try {
      for (const record of records) {
        if (live.has(record.id) || !(await isOurs(record))) continue;
        const session = add(record);
        session.begin();
        revived.push(session);
      }
    } finally {
      const askWorkers = () => this.#askWorkers();
      if (revived.length > 0) this.#keep(awaitClaims(revived, { clock, log, claimMs, askWorkers }));
    }
  }

  /** Whoever performs one that has no worker here gets it. */
  async #askWorkers(): Promise<void> {
    const { fleet, live, claim } = this.#parts;
    for (const { facts, performing } of await fleet.workers())
      for (const placement of performing ?? [])
        if (live.get(placement.sessionId)?.isPlaced === false) claim(placement, facts.workerId);
  }

  async #missWorkers(): Promise<void> {
    const { fleet, live } = this.#parts;
    const there = new Set((await fleet.workers()).map(({ facts }) => facts.workerId));
    for (const session of live.values()) {
      const workerId = session.lease?.workerId;
      // Whether it is alive is not known.
      if (workerId !== undefined && !there.has(workerId)) session.lost(workerId, true);
    }
  }

  #later(ms: number, run: () => void): void {
    this.#keep(this.#parts.clock.after(ms, run));
  }

  #keep(stop: () => void): void {
    if (this.#isClosed) stop();
    else this.#timers.push(stop);
  }
}
