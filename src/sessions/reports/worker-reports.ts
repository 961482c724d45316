import type { ReportedPlacement, Verdict, WorkerReport } from '#protocol/worker/worker-report.ts';
import type { SessionOwnership } from '../../cluster/session-ownership.ts';
import type { Placement } from '../../fleet/fleet.ts';
import type { LiveSessions } from '../live/live-sessions.ts';
import type { SessionRecovery } from '../recovery/session-recovery.ts';

/** Reports of workers about their sessions, and of the gateway about workers. */
export interface WorkerReports {
  /** Rejects when the report could not be saved; the worker then repeats it. */
  handle(placement: ReportedPlacement, report: WorkerReport): Promise<Verdict>;
  /** The worker connected and performs exactly these; places its other sessions again. */
  workerCame(workerId: string, performing: Placement[]): void;
  /** The worker is about to exit; its sessions move. Repeated until it is gone. */
  workerLeaves(workerId: string): void;
  /** The worker stays, but these sessions of it are to move. */
  moveAway(workerId: string, sessionIds: string[]): void;
  /** The worker did not reconnect in time. `isSilent`: its connection stood, without a message. */
  workerLost(workerId: string, isSilent?: boolean): void;
}

type OwnReportsParts = {
  live: Pick<LiveSessions, 'get' | 'has' | 'ofWorker'>;
  recovery: Pick<SessionRecovery, 'adoptById'>;
  /** Set when several control planes share the sessions. */
  ownership?: SessionOwnership | undefined;
};

/** Applies reports to the sessions that this control plane owns. */
export class OwnReports implements WorkerReports {
  readonly #parts: OwnReportsParts;

  constructor(parts: OwnReportsParts) {
    this.#parts = parts;
  }

  async handle(placement: ReportedPlacement, report: WorkerReport): Promise<Verdict> {
    const { live, recovery, ownership } = this.#parts;
    const { sessionId } = placement;
    // The owner is gone and no control plane has recovered the session yet.
    if (report.type === 'claimed' && ownership && !live.has(sessionId))
      await recovery.adoptById(sessionId);
    return live.get(sessionId)?.handle(placement, report) ?? 'stale';
  }

  workerCame(workerId: string, performing: Placement[]): void {
    const epochs = new Map(performing.map(({ sessionId, epoch }) => [sessionId, epoch]));
    for (const session of this.#parts.live.ofWorker(workerId)) {
      const { id, epoch } = session.record;
      if (epochs.get(id) !== epoch) session.lost(workerId);
    }
  }

  workerLeaves(workerId: string): void {
    for (const session of this.#parts.live.ofWorker(workerId)) session.moveAway(workerId);
  }

  moveAway(workerId: string, sessionIds: string[]): void {
    for (const id of sessionIds) this.#parts.live.get(id)?.moveAway(workerId);
  }

  workerLost(workerId: string, isSilent = false): void {
    for (const session of this.#parts.live.ofWorker(workerId)) session.lost(workerId, isSilent);
  }
}
