import { IN_TIME_SECONDS } from '../../metrics/metric-counts.ts';
import { critical, warning, type RuleGroup } from '../alert-rule.ts';
import {
  canaryStopped,
  eachPool,
  endlessDrain,
  manyFailovers,
  manyWithheld,
  noReadyAvatarWorker,
  notInTime,
  share,
} from '../conditions.ts';
import type { KnownState } from '../known-state.ts';

const refusedShare = ({ count }: KnownState) => {
  const badCount = count('rejections', '10m');
  return { badCount, total: badCount + count('slots_given', '10m') };
};

export const FLEET: RuleGroup = {
  name: 'troupe-fleet',
  rules: [
    {
      name: 'TroupeNoAvatarWorkers',
      ...critical,
      forMinutes: 2,
      ...noReadyAvatarWorker,
      expr: () => 'absent(troupe_workers{kind="avatar", state="ready"} > 0)',
      advice: 'Start a worker, or resume a cordoned one.',
    },
    {
      name: 'TroupeSessionsRefused',
      ...critical,
      forMinutes: 5,
      limit: 0.05,
      ...share(refusedShare, (part) => {
        return `${part} of new sessions are refused for lack of a slot.`;
      }),
      expr: (limit) => `sum(increase(troupe_rejections_total[10m]))
  / (sum(increase(troupe_rejections_total[10m])) + sum(increase(troupe_session_start_seconds_count{phase="slot"}[10m])))
  > ${limit}`,
      advice: 'Add workers to the pool that is full.',
    },
    {
      name: 'TroupeSlotsExhausted',
      ...warning,
      forMinutes: 10,
      limit: 0,
      ...eachPool({
        isBad: ({ freeSlots }, limit) => freeSlots === limit,
        summary: ({ kind, pool }) => `Pool ${pool} has no free ${kind} slot.`,
      }),
      comment: 'Every control plane reports the whole fleet, hence max instead of sum.',
      expr: (limit) => `max by (kind, pool) (troupe_slots{state="free"}) == ${limit}`,
      summary: 'Pool {{ $labels.pool }} has had no free {{ $labels.kind }} slot for ten minutes.',
      advice: 'Add workers to the pool, or resume cordoned ones.',
    },
    {
      name: 'TroupeFleetTooSmall',
      ...warning,
      forMinutes: 15,
      ...eachPool({
        isBad: ({ wantedWorkers }, _limit, workers) => wantedWorkers > workers.length,
        summary: ({ kind, pool }, wantedWorkers) =>
          `Pool ${pool} needs ${wantedWorkers} ${kind} workers and has fewer.`,
        textOf: ({ wantedWorkers }) => String(wantedWorkers),
      }),
      expr: () => `max by (kind, pool) (troupe_wanted_workers)
  > (
    max by (kind, pool) (sum by (instance, kind, pool) (troupe_workers))
      or 0 * max by (kind, pool) (troupe_wanted_workers)
  )`,
      advice: 'Find out why the autoscaler adds no workers, or start workers yourself.',
    },
    {
      name: 'TroupeQueueWaiting',
      ...warning,
      forMinutes: 2,
      limit: 1,
      ...eachPool({
        isBad: ({ queueOldestSeconds }, limit) => queueOldestSeconds > limit,
        summary: ({ kind, pool }, wait) =>
          `Requests for ${kind} slots of pool ${pool} wait ${wait}.`,
        textOf: ({ queueOldestSeconds }) => `${queueOldestSeconds.toFixed(1)} seconds`,
        template: '{{ $value | humanizeDuration }}',
      }),
      expr: (limit) => `max by (kind, pool) (troupe_queue_oldest_seconds) > ${limit}`,
      advice: 'Add workers to the pool, or raise WARM_SLOTS.',
    },
    {
      name: 'TroupeWorkersWithheld',
      ...warning,
      forMinutes: 10,
      limit: 0.25,
      ...manyWithheld,
      expr: (
        limit,
      ) => `max by (kind) (sum by (instance, kind) (troupe_workers{state=~"late|resting"}))
  / max by (kind) (sum by (instance, kind) (troupe_workers)) > ${limit}`,
      advice: 'Give the workers more CPU time, or fewer WORKER_SLOTS.',
    },
    {
      name: 'TroupeFailoversFrequent',
      ...warning,
      forMinutes: 0,
      limit: 3,
      ...manyFailovers(
        '15m',
        (count, kind) => `${count} sessions lost their ${kind} worker in 15 minutes.`,
      ),
      expr: (limit) => `sum by (kind) (increase(troupe_failovers_total[15m])) > ${limit}`,
      advice: 'Read the last log lines of the lost workers, and check their memory.',
    },
    {
      name: 'TroupeFailoverSlow',
      ...warning,
      forMinutes: 0,
      limit: 0.05,
      ...share(notInTime('returns', '1h'), (part) => {
        return `${part} of faces returned later than five seconds after the loss of a worker.`;
      }),
      expr: (limit) =>
        `histogram_quantile(${1 - limit}, sum by (le) (rate(troupe_failover_seconds_bucket[1h]))) > ${IN_TIME_SECONDS.returns}`,
      summary: 'Faces return {{ $value | humanizeDuration }} after the loss of a worker.',
      advice: 'Keep more free slots, so that lost sessions find one at once.',
    },
    {
      name: 'TroupeDrainEndless',
      ...warning,
      forMinutes: 30,
      ...endlessDrain,
      comment: 'A session has no time limit, and the worker has none for its drain.',
      expr: () => 'max by (kind, pool) (troupe_drain_seconds) == +Inf',
      advice: 'Set DRAIN_SECONDS of the worker, or end its sessions.',
    },
    {
      name: 'TroupeCanaryStopped',
      ...warning,
      forMinutes: 0,
      ...canaryStopped,
      expr: () => 'max(troupe_canary_stopped) == 1',
      advice: 'Compare the failed sessions of both pools, then end the canary.',
    },
  ],
};
