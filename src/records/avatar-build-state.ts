/*
 * Pure state machine of an avatar's build. `avatar-builds.ts` stores each change.
 *
 * queued   no worker builds it          -> claimed; failed when overdue
 * claimed  a worker builds it           -> ready, failed; queued when the claim is released. An
 *                                          expired claim may be claimed by another worker
 * ready    final
 * failed   `reason` says why            -> queued by a new request
 *
 * Each claim has a new epoch; events of an older epoch have no effect. A queued build still accepts
 * the reports of its last claim: that worker was taken for lost and has come back.
 */
import type { Selectable } from 'kysely';
import type { AvatarsTable } from './engine/database.ts';

type BuildPhase =
  | { type: 'queued' }
  /** `workerId`: null after its worker was taken for lost. */
  | { type: 'claimed'; workerId: string | null; until: number }
  | { type: 'ready'; bundleHash: string; portraitHash: string; settledAt: number }
  | { type: 'failed'; reason: string; settledAt: number };

/** `tries`: claims that began. `progress`: percent. `queuedAt`: last request. */
type BuildCounts = { epoch: number; tries: number; progress: number; queuedAt: number };

export type Build = BuildCounts & BuildPhase;

export type BuildResult = { bundleHash: string; portraitHash: string } | { reason: string };

/** `epoch`: of the claim; for a new claim, of the one before. */
export type BuildEvent =
  | { type: 'claimed'; epoch: number; workerId: string; until: number }
  | { type: 'renewed'; epoch: number; until: number; progress: number | undefined }
  | { type: 'released'; epoch: number; wasBegun: boolean }
  | { type: 'settled'; epoch: number; result: BuildResult; at: number }
  | { type: 'queued_again'; at: number };

/** Null: the event has no effect. */
export function advanceBuild(build: Build, event: BuildEvent): Build | null {
  const { epoch, tries, progress, queuedAt } = build;
  const counts = { epoch, tries, progress, queuedAt };
  if (event.type === 'queued_again')
    return build.type === 'failed'
      ? { ...counts, type: 'queued', tries: 0, progress: 0, queuedAt: event.at }
      : null;
  if (build.type === 'ready' || build.type === 'failed' || event.epoch !== epoch) return null;

  switch (event.type) {
    case 'claimed': {
      const { workerId, until } = event;
      const claim = { epoch: epoch + 1, tries: tries + 1, progress: 0, queuedAt };
      return { ...claim, type: 'claimed', workerId, until };
    }
    case 'renewed': {
      const workerId = build.type === 'claimed' ? build.workerId : null;
      const { until } = event;
      return { ...counts, type: 'claimed', workerId, until, progress: event.progress ?? progress };
    }
    case 'released':
      return { ...counts, type: 'queued', tries: event.wasBegun ? tries : tries - 1 };
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
        ? { ...counts, type: 'queued' }
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
  worker_id: build.type === 'claimed' ? build.workerId : null,
  claimed_until: build.type === 'claimed' ? build.until : 0,
  queued_at: build.queuedAt,
  settled_at: build.type === 'ready' || build.type === 'failed' ? build.settledAt : null,
});
