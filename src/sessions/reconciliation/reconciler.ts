/*
 * Compares slots, sessions, rows, performances and rooms once a minute. Repairs differences seen in
 * two consecutive rounds; a new one may be a change in progress, so a second round follows soon.
 * Only the owner repairs a session.
 *
 * The app closes it before sessions and fleet.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '#shared/clock.ts';
import type { EndReason } from '#protocol/end-reasons.ts';
import { placementOf } from '#protocol/placement.ts';
import type { Log } from '#shared/log.ts';
import type { Fleet, Lease } from '../../fleet/fleet.ts';
import type { SessionRecords } from '../../records/sessions/sessions.ts';
import type { Rooms } from '../../rooms/rooms.ts';
import { diff, nameOfDifference, type Difference, type LivePlace, type Witnesses } from './diff.ts';
import { SerialQueue } from '#shared/serial-queue.ts';
import type { LiveSessions } from '../live/live-sessions.ts';
import type { SessionRecovery } from '../recovery/session-recovery.ts';

const EVERY_MS = 60_000;
/** A younger difference may be a change in progress: workers report every few seconds. */
const SETTLE_MS = 10_000;
/** Until all control planes have published their workers and sessions again. */
const AFTER_OUTAGE_MS = 5_000;
/** Comparisons before yielding to the event loop: a round of thousands of sessions takes 100 ms. */
const STEPS_AT_ONCE = 200;
/** Repairs under way: the end of a session waits for the database, which others keep busy. */
const REPAIRS_AT_ONCE = 20;

type ReconcilerParts = {
  /** The sessions that this control plane owns. */
  live: Pick<LiveSessions, 'get' | 'has' | 'superseded'>;
  /** The live sessions of all control planes. */
  places: { places(): LivePlace[] | Promise<LivePlace[]> };
  recovery: Pick<SessionRecovery, 'adopt'>;
  records: Pick<SessionRecords, 'livePlaces' | 'findAny'>;
  fleet: Pick<Fleet, 'leases' | 'workers' | 'hold' | 'free' | 'send'>;
  rooms: Pick<Rooms, 'list' | 'close'>;
  clock: Clock;
  log: Log;
};

export type Finding = Difference & {
  /** First seen, in milliseconds since the epoch. */
  since: number;
  isRepaired: boolean;
};

export type ReconciliationReport = {
  leases: number;
  sessions: number;
  rows: number;
  performed: number;
  /** Null when the media server did not answer. */
  rooms: number | null;
  findings: Finding[];
};

type Sighting = { since: number; elapsed: number };

export class Reconciler {
  readonly #parts: ReconcilerParts;
  /** Differences of the last round, with the time each was first seen. */
  #seen = new Map<string, Sighting>();
  /** One round at a time: two at once would count as consecutive. */
  readonly #rounds = new SerialQueue();
  /** Null before the start and while a round runs. */
  #cancel: (() => void) | null = null;
  #isClosed = false;

  constructor(parts: ReconcilerParts) {
    this.#parts = parts;
  }

  start(): void {
    this.#schedule(EVERY_MS);
  }

  /** Messages between control planes may have been lost. */
  runSoon(): void {
    this.#schedule(AFTER_OUTAGE_MS);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancel?.();
    await this.#rounds.settled();
  }

  look(): Promise<ReconciliationReport> {
    return this.#rounds.run(async () => (await this.#round()).report);
  }

  /** Compares, and repairs differences from an earlier round. */
  repair(): Promise<ReconciliationReport> {
    return this.#rounds.run(async () => {
      const { report, connected } = await this.#round();
      const repairIfSettled = async (finding: Finding): Promise<Finding> => {
        const isRepaired =
          this.#isSettled(finding) && (await this.#tryToRepair(finding, connected));
        return { ...finding, isRepaired };
      };
      const findings: Finding[] = [];
      for (const batch of batchesOf(report.findings))
        findings.push(...(await Promise.all(batch.map(repairIfSettled))));
      return { ...report, findings };
    });
  }

  #schedule(ms: number, isSecond = false): void {
    if (this.#isClosed) return;
    this.#cancel?.();
    this.#cancel = this.#parts.clock.after(ms, () => {
      this.#cancel = null;
      void this.#repairAndSchedule(isSecond);
    });
  }

  /** A second round has no third, so that a busy fleet is not compared all the time. */
  async #repairAndSchedule(isSecond: boolean): Promise<void> {
    let isUnclear = true;
    try {
      const { findings } = await this.repair();
      isUnclear = findings.some((finding) => !this.#isSettled(finding));
    } catch (err) {
      this.#parts.log.error({ err }, 'reconciliation failed');
    }
    if (this.#cancel) return;
    const isNextSecond = isUnclear && !isSecond;
    this.#schedule(isNextSecond ? SETTLE_MS : EVERY_MS, isNextSecond);
  }

  async #round() {
    const { places, records, fleet, rooms, clock } = this.#parts;
    const [rows, open] = await Promise.all([records.livePlaces(), rooms.list().catch(() => null)]);
    const [leases, workers] = await Promise.all([fleet.leases(), fleet.workers()]);
    const sessions = await places.places();
    const performers = workers.map(({ facts, performing }) => ({
      workerId: facts.workerId,
      performing,
    }));
    const differences = await find({ leases, sessions, rows, workers: performers, rooms: open });

    const sightings = new Map<string, Sighting>();
    const findings = differences.map((difference): Finding => {
      const name = nameOfDifference(difference);
      const firstSighting = this.#seen.get(name) ?? {
        since: clock.now(),
        elapsed: clock.elapsed(),
      };
      sightings.set(name, firstSighting);
      return { ...difference, since: firstSighting.since, isRepaired: false };
    });
    this.#seen = sightings;
    const report: ReconciliationReport = {
      leases: leases.length,
      sessions: sessions.length,
      rows: rows.length,
      performed: performers.reduce((sum, { performing }) => sum + (performing?.length ?? 0), 0),
      rooms: open?.length ?? null,
      findings,
    };
    const connected = new Set(performers.map(({ workerId }) => workerId));
    return { report, connected };
  }

  #isSettled(finding: Finding): boolean {
    const firstSighting = this.#seen.get(nameOfDifference(finding));
    return (
      firstSighting !== undefined &&
      this.#parts.clock.elapsed() - firstSighting.elapsed >= SETTLE_MS
    );
  }

  /** A failed repair does not block the others; the next round retries it. */
  async #tryToRepair(finding: Finding, connected: Set<string>): Promise<boolean> {
    const { log } = this.#parts;
    try {
      const isRepaired = await this.#repairOne(finding, connected);
      if (isRepaired) log.warn({ ...finding }, 'difference repaired');
      return isRepaired;
    } catch (err) {
      log.error({ ...finding, err }, 'difference not repaired');
      return false;
    }
  }

  async #repairOne(finding: Finding, connected: Set<string>): Promise<boolean> {
    const { live, recovery, records, fleet, rooms } = this.#parts;
    switch (finding.kind) {
      case 'lease_without_session':
        await fleet.free(finding.lease);
        break;
      case 'session_without_lease':
        if (!live.has(finding.lease.sessionId)) return false;
        await fleet.hold(finding.lease);
        break;
      case 'session_without_row':
        return this.#end(finding.sessionId, 'removed');
      case 'session_placed_elsewhere': {
        const session = live.get(finding.sessionId);
        if (session) live.superseded(session);
        return session !== undefined;
      }
      case 'row_without_session': {
        const row = await records.findAny(finding.sessionId);
        const isWorkerHere = finding.workerId !== null && connected.has(finding.workerId);
        return row !== null && row.status !== 'completed' && recovery.adopt(row, isWorkerHere);
      }
      case 'session_without_worker':
        // The worker may still be alive.
        return this.#lose(finding.lease, true);
      case 'session_not_performed':
        return this.#lose(finding.lease, false);
      case 'performed_without_session':
        await fleet.send(finding.lease.workerId, {
          type: 'drop',
          placement: placementOf(finding.lease),
        });
        break;
      case 'session_without_room':
        return this.#end(finding.sessionId, 'room_closed');
      case 'room_without_session':
        await rooms.close(finding.room);
    }
    return true;
  }

  /** False: not owned here. */
  async #end(sessionId: string, reason: EndReason): Promise<boolean> {
    const session = this.#parts.live.get(sessionId);
    await session?.end(reason);
    return session !== undefined;
  }

  /** The lease's worker does not perform the session, or is silent. False: not owned here. */
  #lose({ sessionId, workerId }: Lease, isSilent: boolean): boolean {
    const session = this.#parts.live.get(sessionId);
    session?.lost(workerId, isSilent);
    return session !== undefined;
  }
}

/** Findings of one kind: those of different kinds may concern one session. */
function* batchesOf(findings: readonly Finding[]): Generator<Finding[]> {
  let batch: Finding[] = [];
  for (const finding of findings) {
    const isFull = batch.length === REPAIRS_AT_ONCE;
    if (isFull || (batch[0] && batch[0].kind !== finding.kind)) {
      yield batch;
      batch = [];
    }
    batch.push(finding);
  }
  yield batch;
}

async function find(witnesses: Witnesses): Promise<Difference[]> {
  const differences: Difference[] = [];
  let steps = 0;
  for (const difference of diff(witnesses)) {
    if (difference) differences.push(difference);
    steps += 1;
    if (steps % STEPS_AT_ONCE === 0) await nextTurn();
  }
  return differences;
}
