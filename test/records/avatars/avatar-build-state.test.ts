import { describe, expect, test } from 'vitest';
import {
  advanceBuild,
  toBuild,
  toColumns,
  type Build,
  type BuildEvent,
} from '../../../src/records/avatars/avatar-build-state.ts';

const counts = { epoch: 2, tries: 1, progress: 40, queuedAt: 5 };
const queued: Build = { ...counts, type: 'queued', workerId: 'first' };
const claimed: Build = { ...counts, type: 'claimed', workerId: 'first', until: 10 };
const ready: Build = {
  ...counts,
  type: 'ready',
  bundleHash: 'bundle',
  portraitHash: 'portrait',
  settledAt: 9,
};
const failed: Build = { ...counts, type: 'failed', reason: 'no_face', settledAt: 9 };

const claim: BuildEvent = { type: 'claimed', epoch: 2, workerId: 'second', until: 20 };
const by = { epoch: 2, workerId: 'first' };
const renew: BuildEvent = { type: 'renewed', ...by, until: 20, progress: undefined };
const release: BuildEvent = { type: 'released', ...by, wasBegun: true };
const blobs = { bundleHash: 'bundle', portraitHash: 'portrait' };
const succeed: BuildEvent = { type: 'settled', ...by, result: blobs, at: 9 };
const fail: BuildEvent = { type: 'settled', ...by, result: { reason: 'no_face' }, at: 9 };
const queueAgain: BuildEvent = { type: 'queued_again', at: 30 };

const claimedAgain = {
  ...claimed,
  epoch: 3,
  tries: 2,
  progress: 0,
  workerId: 'second',
  until: 20,
};

describe('the build of an avatar', () => {
  test.each<[string, Build, BuildEvent, Build]>([
    ['is claimed under a new epoch', queued, claim, claimedAgain],
    ['is claimed by another worker after its claim expired', claimed, claim, claimedAgain],
    ['keeps its worker while that reports', claimed, renew, { ...claimed, until: 20 }],
    [
      'advances with its worker',
      claimed,
      { ...renew, progress: 60 },
      { ...claimed, until: 20, progress: 60 },
    ],
    [
      'returns to a worker that comes back before another claim',
      queued,
      renew,
      { ...claimed, until: 20 },
    ],
    ['is queued when its worker gives up', claimed, release, queued],
    [
      'does not count a claim that never began',
      claimed,
      { ...release, wasBegun: false },
      { ...queued, tries: 0 },
    ],
    ['becomes ready', claimed, succeed, { ...ready, progress: 100 }],
    ['fails with a reason', claimed, fail, failed],
    ['fails when nobody built it in time', queued, { ...fail, workerId: null }, failed],
    [
      'accepts the report of a claim whose worker an older version did not keep',
      { ...queued, workerId: null },
      succeed,
      { ...ready, progress: 100 },
    ],
    [
      'is queued again after a failure',
      failed,
      queueAgain,
      { ...queued, workerId: null, tries: 0, progress: 0, queuedAt: 30 },
    ],
  ])('%s', (_what, build, event, expected) => {
    expect(advanceBuild(build, event)).toEqual(expected);
  });

  test.each<[string, Build, BuildEvent[]]>([
    ['ready', ready, [claim, renew, release, succeed, fail, queueAgain]],
    ['failed', failed, [claim, renew, release, succeed, fail]],
    ['queued', queued, [queueAgain]],
    ['claimed', claimed, [queueAgain]],
  ])('ignores, once %s, what does not apply', (_what, build, events) => {
    for (const event of events) expect(advanceBuild(build, event)).toBeNull();
  });

  test('ignores events of an older epoch', () => {
    for (const event of [claim, renew, release, succeed, fail])
      expect(advanceBuild(claimed, { ...event, epoch: 1 })).toBeNull();
  });

  test.each([queued, claimed])('ignores the reports of another worker when $type', (build) => {
    for (const event of [renew, release, succeed, fail])
      expect(advanceBuild(build, { ...event, workerId: 'second' })).toBeNull();
  });

  test.each([queued, claimed, ready, failed])('is read as written when $type', (build) => {
    expect(toBuild(toColumns(build))).toEqual(build);
  });
});
