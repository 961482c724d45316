/*
 * Reports about the sessions of all control planes. A report goes to the session's owner, a notice
 * about a worker to everyone.
 */
import type { Log } from '#shared/log.ts';
import type { ReportedPlacement, Verdict, WorkerReport } from '#protocol/worker/worker-report.ts';
import type { ClusterBus } from '../../cluster/cluster-bus.ts';
import type { Placement } from '../../fleet/fleet.ts';
import type { WorkerReports } from '../reports/worker-reports.ts';
import type { SessionNotices, SessionRequests } from './messages.ts';
import type { OwnerLookup } from './owner-lookup.ts';

type RoutedReportsParts = {
  /** For the sessions that this control plane owns. */
  reports: WorkerReports;
  owners: OwnerLookup;
  bus: ClusterBus<SessionRequests, SessionNotices>;
  log: Log;
};

/** Reports whose sender waits for the verdict. All others are forwarded without an answer. */
const ANSWERED: ReadonlySet<WorkerReport['type']> = new Set(['started', 'ended', 'claimed']);

export class RoutedReports implements WorkerReports {
  readonly #parts: RoutedReportsParts;

  constructor(parts: RoutedReportsParts) {
    this.#parts = parts;
    const { reports, bus } = parts;
    bus.onRequest('report', ({ placement, report }) => reports.handle(placement, report));
    bus.onNotice('report', ({ placement, report }) =>
      this.#inBackground(reports.handle(placement, report), 'forwarded report not recorded'),
    );
    bus.onNotice('worker_came', ({ workerId, performing }) =>
      reports.workerCame(workerId, performing),
    );
    bus.onNotice('worker_leaves', ({ workerId }) => reports.workerLeaves(workerId));
    bus.onNotice('move_away', ({ workerId, sessionIds }) => reports.moveAway(workerId, sessionIds));
    bus.onNotice('worker_lost', ({ workerId, isSilent }) => reports.workerLost(workerId, isSilent));
  }

  async handle(placement: ReportedPlacement, report: WorkerReport): Promise<Verdict> {
    const { reports, owners, bus } = this.#parts;
    const { sessionId } = placement;
    const owner = await owners.of(sessionId);
    if (owner === null) return reports.handle(placement, report);
    try {
      const forwarded = { placement, report };
      if (ANSWERED.has(report.type)) return await bus.request(owner, 'report', forwarded);
      await bus.publish(owner, 'report', forwarded);
      return 'recorded';
    } catch (error) {
      owners.forget(sessionId);
      throw error;
    }
  }

  workerCame(workerId: string, performing: Placement[]): void {
    this.#parts.reports.workerCame(workerId, performing);
    this.#publish('worker_came', { workerId, performing });
  }

  workerLeaves(workerId: string): void {
    this.#parts.reports.workerLeaves(workerId);
    this.#publish('worker_leaves', { workerId });
  }

  moveAway(workerId: string, sessionIds: string[]): void {
    this.#parts.reports.moveAway(workerId, sessionIds);
    this.#publish('move_away', { workerId, sessionIds });
  }

  workerLost(workerId: string, isSilent = false): void {
    this.#parts.reports.workerLost(workerId, isSilent);
    this.#publish('worker_lost', { workerId, isSilent });
  }

  /** A control plane that misses the notice repairs the difference by its reconciler. */
  #publish<Type extends keyof SessionNotices>(type: Type, notice: SessionNotices[Type]): void {
    this.#inBackground(this.#parts.bus.publish(null, type, notice), 'worker notice not published');
  }

  #inBackground(work: Promise<unknown>, failure: string): void {
    work.catch((error: unknown) => this.#parts.log.warn({ err: error }, failure));
  }
}
