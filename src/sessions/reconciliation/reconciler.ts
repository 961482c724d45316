/*
 * Looks once a minute whether slots, sessions, rows, performances and rooms agree, and repairs what does not for two rounds: what is new may
 * be on its way. What is wrong with a session is repaired by the control plane at which it lives.
 *
 * Closed by the app before sessions and fleet.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '#shared/clock.ts';
import type { Log } from '#shared/log.ts';
import type { Fleet } from '../../fleet/fleet.ts';
import type { SessionRecords } from '../../records/sessions/sessions.ts';
import type { Rooms } from '../../rooms/rooms.ts';
import { diff, nameOfDifference, type Difference, type LivePlace, type Witnesses } from './diff.ts';
import { SerialQueue } from '#shared/serial-queue.ts';
import type { Sessions } from '../sessions.ts';

const EVERY_MS = 60_000;
/** What was not there so long ago may still be on its way: workers say what they perform every few seconds. */
const SETTLE_MS = 10_000;
/** How many things are looked at before others get their turn: with thousands of sessions a round takes a tenth of a second. */
const STEPS_AT_ONCE = 200;

export type ReconcilerParts = {
  sessions: Pick<Sessions, 'has' | 'adopt' | 'lost' | 'endHere'> & {
    places(): LivePlace[] | Promise<LivePlace[]>;
  };
  records: Pick<SessionRecords, 'livePlaces' | 'findAny'>;
  fleet: Pick<Fleet, 'leases' | 'workers' | 'hold' | 'free' | 'drop'>;
  rooms: Pick<Rooms, 'list' | 'close'>;
  clock: Clock;
  log: Log;
};

export type Finding = Difference & {
  /** When it was seen for the first time, in milliseconds since the epoch. */
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

type Seen = { since: number; elapsed: number };

export class Reconciler {
  readonly #parts: ReconcilerParts;
  /** The differences of the last round, and when each of them began. */
  #seen = new Map<string, Seen>();
  /** Rounds one after another: two at once would count as two. */
  readonly #rounds = new SerialQueue();
  #cancel: () => void = () => {};
  #isClosed = false;

  constructor(parts: ReconcilerParts) {
    this.#parts = parts;
  }

  start(): void {
    if (this.#isClosed) return;
    this.#cancel = this.#parts.clock.after(EVERY_MS, () => {
      this.repair()
        .catch((err: unknown) => this.#parts.log.error({ err }, 'audit failed'))
        .finally(() => this.start());
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancel();
    await this.#rounds.settled();
  }

  look(): Promise<ReconciliationReport> {
    return this.#rounds.run(async () => (await this.#round()).report);
  }

  /** Looks, and repairs what has been different since an earlier round. */
  repair(): Promise<ReconciliationReport> {
    return this.#rounds.run(async () => {
      const { report, connected } = await this.#round();
      const findings: Finding[] = [];
      for (const finding of report.findings) {
        const isRepaired = this.#isSettled(finding) && (await this.#tryToMend(finding, connected));
        findings.push({ ...finding, isRepaired });
      }
      return { ...report, findings };
    });
  }

  async #round() {
    const { sessions, records, fleet, rooms, clock } = this.#parts;
    const [rows, open] = await Promise.all([records.livePlaces(), rooms.list().catch(() => null)]);
    const [leases, workers] = await Promise.all([fleet.leases(), fleet.workers()]);
    const places = await sessions.places();
    const performers = workers.map(({ facts, performing }) => ({
      workerId: facts.workerId,
      performing,
    }));
    const found = await find({ leases, sessions: places, rows, workers: performers, rooms: open });

    const seen = new Map<string, Seen>();
    const findings = found.map((difference): Finding => {
      const name = nameOfDifference(difference);
      const first = this.#seen.get(name) ?? { since: clock.now(), elapsed: clock.elapsed() };
      seen.set(name, first);
      return { ...difference, since: first.since, isRepaired: false };
    });
    this.#seen = seen;
    const report: ReconciliationReport = {
      leases: leases.length,
      sessions: places.length,
      rows: rows.length,
      performed: performers.reduce((sum, { performing }) => sum + (performing?.length ?? 0), 0),
      rooms: open?.length ?? null,
      findings,
    };
    const connected = new Set(performers.map(({ workerId }) => workerId));
    return { report, connected };
  }

  #isSettled(finding: Finding): boolean {
    const first = this.#seen.get(nameOfDifference(finding));
    return first !== undefined && this.#parts.clock.elapsed() - first.elapsed >= SETTLE_MS;
  }

  /** One that cannot be repaired now stands in no other one's way: the next round tries again. */
  async #tryToMend(finding: Finding, connected: Set<string>): Promise<boolean> {
    const { log } = this.#parts;
    try {
      const isMended = await this.#mend(finding, connected);
      if (isMended) log.warn({ ...finding }, 'difference repaired');
      return isMended;
    } catch (err) {
      log.error({ ...finding, err }, 'difference not repaired');
      return false;
    }
  }

  async #mend(finding: Finding, connected: Set<string>): Promise<boolean> {
    const { sessions, records, fleet, rooms } = this.#parts;
    switch (finding.kind) {
      case 'lease_without_session':
        await fleet.free(finding.lease);
        break;
      case 'session_without_lease':
        if (!sessions.has(finding.lease.sessionId)) return false;
        await fleet.hold(finding.lease);
        break;
      case 'session_without_row':
        if (!sessions.has(finding.sessionId)) return false;
        await sessions.endHere(finding.sessionId, 'removed');
        break;
      case 'row_without_session': {
        const row = await records.findAny(finding.sessionId);
        const isWorkerHere = finding.workerId !== null && connected.has(finding.workerId);
        return row !== null && row.status !== 'completed' && sessions.adopt(row, isWorkerHere);
      }
      case 'session_without_worker':
        // Whether it is alive is not known.
        return sessions.lost(finding.lease, true);
      case 'session_not_performed':
        return sessions.lost(finding.lease);
      case 'performed_without_session':
        await fleet.drop(finding.lease.workerId, finding.lease);
        break;
      case 'session_without_room':
        if (!sessions.has(finding.sessionId)) return false;
        await sessions.endHere(finding.sessionId, 'room_closed');
        break;
      case 'room_without_session':
        await rooms.close(finding.room);
    }
    return true;
  }
}

async function find(witnesses: Witnesses): Promise<Difference[]> {
  const found: Difference[] = [];
  let steps = 0;
  for (const difference of diff(witnesses)) {
    if (difference) found.push(difference);
    steps += 1;
    if (steps % STEPS_AT_ONCE === 0) await nextTurn();
  }
  return found;
}
