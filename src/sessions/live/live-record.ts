import type { ReportedPlacement } from '#protocol/worker/worker-report.ts';
import { SerialQueue } from '#shared/serial-queue.ts';
import type { EndedBy } from '../../records/audit/audit-log.ts';
import type { Lease } from '../../fleet/fleet.ts';
import type {
  InsertOptions,
  SessionRecord,
  SessionRecords,
  SessionStateFields,
} from '../../records/sessions/sessions.ts';

/** The record of one live session. Changes run in turn and are saved before they are visible. */
export class LiveRecord {
  readonly #records: SessionRecords;
  readonly #queue = new SerialQueue();
  #current: SessionRecord;

  constructor(record: SessionRecord, records: SessionRecords) {
    this.#current = record;
    this.#records = records;
  }

  get current(): SessionRecord {
    return this.#current;
  }

  /** A worker reports only on sessions that are placed on it. */
  isHeldBy({ epoch, workerId }: ReportedPlacement): boolean {
    const { epoch: current, workerId: placedAt } = this.#current;
    return epoch === current && (workerId ?? placedAt) === placedAt;
  }

  /** Runs `work` after all earlier changes. */
  inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.#queue.run(work);
  }

  insert(options: InsertOptions): Promise<void> {
    const record = this.#current;
    return this.inTurn(() => this.#records.insert(record, options));
  }

  /** Call it in turn. */
  async saveState(fields: SessionStateFields, by?: EndedBy): Promise<void> {
    await this.#records.updateState(this.#current, fields, by);
    this.#current = { ...this.#current, ...fields };
  }

  /** Call it in turn. */
  async saveRenewedToken(renewedToken: string): Promise<void> {
    await this.#records.updateRenewedToken(this.#current.id, renewedToken);
    this.#current = { ...this.#current, renewedToken };
  }

  /** Call it in turn. */
  async saveVideo(video: SessionRecord['video']): Promise<void> {
    await this.#records.updateVideo(this.#current.id, video);
    this.#current = { ...this.#current, video };
  }

  /** Visible before it is saved: from now on the older worker's claims and reports are stale. */
  moveTo({ epoch, workerId }: Lease): void {
    this.#current = { ...this.#current, epoch, workerId };
  }

  /** False: the records have another placement. True also for a lease that is no longer current. */
  savePlacement(lease: Lease, isCurrent: () => boolean): Promise<boolean> {
    return this.inTurn(
      async () => !isCurrent() || this.#records.updatePlacement(lease.sessionId, lease),
    );
  }

  /** Resolves when all changes so far were tried. */
  settled(): Promise<void> {
    return this.#queue.settled();
  }
}
