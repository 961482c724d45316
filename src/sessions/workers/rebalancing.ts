/* Moves sessions off workers that are offered none, on an operator's request. */
import type { Log } from '#shared/log.ts';
import { Fault } from '../../errors.ts';
import type { Fleet, WorkerStatus } from '../../fleet/fleet.ts';
import type { SessionRecords, WorkerSession } from '../../records/sessions/sessions.ts';
import type { WorkerReports } from '../reports/worker-reports.ts';

/** Sessions to be moved off a worker. Those for which no other slot is free stay. */
export type Relief = { workerId: string; sessionIds: string[] };

type RebalancingParts = {
  fleet: Pick<Fleet, 'workers'>;
  records: Pick<SessionRecords, 'ofWorkers'>;
  reports: Pick<WorkerReports, 'moveAway'>;
  log: Log;
};

export class Rebalancing {
  readonly #parts: RebalancingParts;

  constructor(parts: RebalancingParts) {
    this.#parts = parts;
  }

  /**
   * The longest sessions of `workerId`, or of every overloaded worker. `count`: of each worker;
   * default: half of its sessions.
   */
  async plan({ workerId, count }: { workerId?: string; count?: number }): Promise<Relief[]> {
    const { fleet, records } = this.#parts;
    const crowded = chosen(await fleet.workers(), workerId);
    const running = await records.ofWorkers(crowded);
    return crowded
      .map((id) => ({ workerId: id, sessionIds: longest(running, id, count) }))
      .filter(({ sessionIds }) => sessionIds.length > 0);
  }

  /** Asks the sessions to move. */
  relieve({ workerId, sessionIds }: Relief): void {
    const { reports, log } = this.#parts;
    log.info({ workerId, sessionIds }, 'worker relieved of sessions');
    reports.moveAway(workerId, sessionIds);
  }
}

function chosen(workers: WorkerStatus[], workerId: string | undefined): string[] {
  const avatars = workers.filter(({ facts }) => facts.kind === 'avatar');
  if (workerId === undefined)
    return avatars.filter(({ state }) => state === 'late').map(({ facts }) => facts.workerId);
  const worker = avatars.find(({ facts }) => facts.workerId === workerId);
  if (!worker) throw new Fault('not_found');
  // Its own slot could be chosen again.
  if (worker.state === 'ready')
    throw new Fault('conflict', {
      detail:
        'The worker accepts sessions, so none is moved off it. Cordon or drain it to empty it.',
    });
  return [workerId];
}

function longest(running: WorkerSession[], workerId: string, count: number | undefined): string[] {
  const ownSessions = running
    .filter((session) => session.workerId === workerId && session.status === 'ongoing')
    .toSorted((a, b) => (a.startedAt ?? a.createdAt) - (b.startedAt ?? b.createdAt));
  return ownSessions.slice(0, count ?? Math.ceil(ownSessions.length / 2)).map(({ id }) => id);
}
