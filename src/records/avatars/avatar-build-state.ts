/*
 * Pure state machine of an avatar's build. `avatar-builds.ts` stores each change.
 *
 * queued   no worker builds it          -> claimed; failed when overdue
 * claimed  a worker builds it           -> ready, failed; queued when the claim is released. An
 *                                          expired claim may be claimed by another worker
 * ready    final
 * failed   `reason` says why            -> queued by a new request
 *
 * Each claim has a new epoch; events of an older epoch, or of another worker, have no effect. A
 * queued build still accepts the reports of its last claim: that worker was taken for lost and has
 * come back.
 */
import type { Selectable } from 'kysely';
import type { AvatarsTable } from '../engine/tables/tables.ts';

type BuildPhase =
  /** `workerId`: of the last claim; null before the first one. */
  | { type: 'queued'; workerId: string | null }
  /** `workerId`: null in a claim that an older version renewed. */
  | { type: 'claimed'; workerId: string | null; until: number }
  | { type: 'ready'; bundleHash: string; portraitHash: string; settledAt: number }
  | { type: 'failed'; reason: string; settledAt: number };

/** `tries`: claims that began. `progress`: percent. `queuedAt`: last request. */
type BuildCounts = { epoch: number; tries: number; progress: number; queuedAt: number };

export type Build = BuildCounts & BuildPhase;

export type BuildResult = { bundleHash: string; portraitHash: string } | { reason: string };

/** `workerId`: who reports; null: the control plane itself. */
type Report = { epoch: number; workerId: string | null };

/** `epoch`: of the claim; for a new claim, of the one before. */
export type BuildEvent =
  | { type: 'claimed'; epoch: number; workerId: string; until: number }
  | ({ type: 'renewed'; until: number; progress: number | undefined } & Report)
  | ({ type: 'released'; wasBegun: boolean } & Report)
  | ({ type: 'settled'; result: BuildResult; at: number } & Report)
  | { type: 'queued_again'; at: number };

/** Null: the event has no effect. */
export function advanceBuild(build: Build, event: BuildEvent): Build | null {
  const { epoch, tries, progress, queuedAt } = build;
  const counts = { epoch, tries, progress, queuedAt };
  if (event.type === 'queued_again')
    return build.type === 'failed'
      ? { ...counts, type: 'queued', workerId: null, tries: 0, progress: 0, queuedAt: event.at }
      : null;
  if (build.type === 'ready' || build.type === 'failed' || event.epoch !== epoch) return null;
  if (event.type === 'claimed') {
    const { workerId, until } = event;
    const claim = { epoch: epoch + 1, tries: tries + 1, progress: 0, queuedAt };
    return { ...claim, type: 'claimed', workerId, until };
  }
  const { workerId } = build;
  if (workerId !== null && event.workerId !== null && event.workerId !== workerId) return null;

  switch (event.type) {
    case 'renewed': {
      const { until } = event;
      return { ...counts, type: 'claimed', workerId, until, progress: event.progress ?? progress };
    }
    case 'released':
      return { ...counts, type: 'queued', workerId, tries: event.wasBegun ? tries : tries - 1 };
    case 'settled': {
      const { result, at: settledAt } = event;
      return 'reason' in result
        ? { ...counts, type: 'failed', reason: result.reason, settledAt }
        : { ...counts, type: 'ready', progress: 100, ...result, settledAt };
    }
  }
}

type BuildColumns = Pick<
  Selectable<AvatarsTable>,
  | 'status'
  | 'reason'
  | 'progress'
  | 'bundle_hash'
  | 'portrait_hash'
  | 'epoch'
  | 'tries'
  | 'worker_id'
  | 'claimed_until'
  | 'queued_at'
  | 'settled_at'
>;

export function toBuild(row: BuildColumns): Build {
  const { epoch, tries, progress, queued_at: queuedAt, settled_at: settledAt } = row;
  const counts = { epoch, tries, progress, queuedAt };
  switch (row.status) {
    case 'building':
      return row.claimed_until === 0
        ? { ...counts, type: 'queued', workerId: row.worker_id }
        : { ...counts, type: 'claimed', workerId: row.worker_id, until: row.claimed_until };
    case 'ready': {
      const bundleHash = row.bundle_hash ?? '';
      const portraitHash = row.portrait_hash ?? '';
      return { ...counts, type: 'ready', bundleHash, portraitHash, settledAt: settledAt ?? 0 };
    }
    case 'failed':
      return { ...counts, type: 'failed', reason: row.reason ?? '', settledAt: settledAt ?? 0 };
  }
}

export const toColumns = (build: Build): BuildColumns => ({
  status: build.type === 'ready' || build.type === 'failed' ? build.type : 'building',
  reason: build.type === 'failed' ? build.reason : null,
  progress: build.progress,
  bundle_hash: build.type === 'ready' ? build.bundleHash : null,
  portrait_hash: build.type === 'ready' ? build.portraitHash : null,
  epoch: build.epoch,
  tries: build.tries,
  worker_id: 'workerId' in build ? build.workerId : null,
  claimed_until: build.type === 'claimed' ? build.until : 0,
  queued_at: build.queuedAt,
  settled_at: build.type === 'ready' || build.type === 'failed' ? build.settledAt : null,
});
