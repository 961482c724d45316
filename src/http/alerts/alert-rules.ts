/*
 * The alert rules of deploy/prometheus that a control plane can judge by itself. A test compares
 * their names, severities, times and limits with those files.
 */
import {
  burning,
  canaryStopped,
  eachPool,
  endlessDrain,
  fasterThan,
  framesMissing,
  manyWithheld,
  moreThan,
  noReadyAvatarWorker,
  notInTime,
  share,
  type Condition,
} from './conditions.ts';
import type { KnownState, Window } from './known-state.ts';

export type AlertRule = {
  name: string;
  /** The highest, of a rule with several windows. */
  severity: 'critical' | 'warning';
  /** How long the condition must hold. */
  forMinutes: number;
  /** The number in the expression of deploy/prometheus, or 1 minus its quantile. Absent if it compares two series. */
  limit?: number;
  holds: Condition;
  /** The first thing to do; the runbook says more. */
  advice: string;
};

const refusedShare = ({ count }: KnownState) => {
  const bad = count('rejections', '10m');
  return { bad, all: bad + count('slots_given', '10m') };
};

const failedRequests = ({ count }: KnownState) => ({
  // Refusals for lack of slots are 503 too, and have an alert of their own.
  bad: count('requests_failed', '5m') - count('rejections', '5m'),
  all: count('requests', '5m'),
});

const lost =
  (window: Window) =>
  ({ count }: KnownState) => ({ bad: count('ended_lost', window), all: count('ended', window) });

const failovers = (kind: 'avatar' | 'agent') =>
  moreThan(`failovers_${kind}`, '15m', {
    about: kind,
    summary: (count) => `${count} sessions lost their ${kind} worker in 15 minutes.`,
  });

const critical = { severity: 'critical' } as const;
const warning = { severity: 'warning' } as const;

export const ALERT_RULES: readonly AlertRule[] = [
  {
    name: 'TroupeSessionStartsSlow',
    ...critical,
    forMinutes: 0,
    limit: 0.01,
    holds: burning(
      (window) => notInTime('starts', window),
      (part, window) =>
        `${part} of sessions took longer than a second to show their first frame in the last ${window}.`,
    ),
    advice: 'If they wait for a slot, add workers or raise WARM_SLOTS; else look at the workers.',
  },
  {
    name: 'TroupeSessionsLost',
    ...critical,
    forMinutes: 0,
    limit: 0.001,
    holds: burning(lost, (part, window) => {
      return `${part} of sessions were lost in the last ${window}.`;
    }),
    advice: 'Look at the end reasons of the failed sessions, and at the logs of their workers.',
  },
  {
    name: 'TroupeApiErrors',
    ...critical,
    forMinutes: 5,
    limit: 0.01,
    holds: share(failedRequests, (part) => `${part} of requests fail with 5xx.`),
    advice: 'Look at the health of the database and of Redis, then at the log of level 50.',
  },
  {
    name: 'TroupeApiSlow',
    ...warning,
    forMinutes: 10,
    limit: 0.05,
    holds: share(notInTime('reads', '5m'), (part) => {
      return `${part} of reads take longer than half a second.`;
    }),
    advice: 'Look at the load of the control planes and of the database.',
  },
  {
    name: 'TroupeWebhooksFailing',
    ...warning,
    forMinutes: 0,
    limit: 0,
    holds: moreThan('deliveries_failed', '1h', {
      summary: (count) => `${count} webhook deliveries were given up in an hour.`,
    }),
    advice: 'Read the errors in the deliveries of the webhook, and redeliver when it is repaired.',
  },
  {
    name: 'TroupeNoAvatarWorkers',
    ...critical,
    forMinutes: 2,
    holds: noReadyAvatarWorker,
    advice: 'Start a worker, or resume a cordoned one.',
  },
  {
    name: 'TroupeSessionsRefused',
    ...critical,
    forMinutes: 5,
    limit: 0.05,
    holds: share(refusedShare, (part) => {
      return `${part} of new sessions are refused for lack of a slot.`;
    }),
    advice: 'Add workers to the pool that is full.',
  },
  {
    name: 'TroupeSlotsExhausted',
    ...warning,
    forMinutes: 10,
    limit: 0,
    holds: eachPool(
      ({ freeSlots }, limit) => freeSlots === limit,
      ({ kind, pool }) => `Pool ${pool} has no free ${kind} slot.`,
    ),
    advice: 'Add workers to the pool, or resume cordoned ones.',
  },
  {
    name: 'TroupeFleetTooSmall',
    ...warning,
    forMinutes: 15,
    holds: eachPool(
      ({ wantedWorkers }, _limit, workers) => wantedWorkers > workers.length,
      ({ kind, pool }, { wantedWorkers }) =>
        `Pool ${pool} needs ${wantedWorkers} ${kind} workers and has fewer.`,
    ),
    advice: 'Find out why the autoscaler adds none, or start workers yourself.',
  },
  {
    name: 'TroupeQueueWaiting',
    ...warning,
    forMinutes: 2,
    limit: 1,
    holds: eachPool(
      ({ queueOldestSeconds }, limit) => queueOldestSeconds > limit,
      ({ kind, pool }, { queueOldestSeconds }) =>
        `Requests for ${kind} slots of pool ${pool} wait ${queueOldestSeconds.toFixed(1)} seconds.`,
    ),
    advice: 'Add workers to the pool, or raise WARM_SLOTS.',
  },
  {
    name: 'TroupeWorkersWithheld',
    ...warning,
    forMinutes: 10,
    limit: 0.25,
    holds: manyWithheld,
    advice: 'Give the workers more CPU time, or fewer WORKER_SLOTS.',
  },
  {
    name: 'TroupeFailoversFrequent',
    ...warning,
    forMinutes: 0,
    limit: 3,
    holds: (...state) => [...failovers('avatar')(...state), ...failovers('agent')(...state)],
    advice: 'Read the last log lines of the workers that went, and look at their memory.',
  },
  {
    name: 'TroupeFailoverSlow',
    ...warning,
    forMinutes: 0,
    limit: 0.05,
    holds: share(notInTime('returns', '1h'), (part) => {
      return `${part} of faces returned later than five seconds after the loss of a worker.`;
    }),
    advice: 'Keep more free slots, so that lost sessions find one at once.',
  },
  {
    name: 'TroupeDrainEndless',
    ...warning,
    forMinutes: 30,
    holds: endlessDrain,
    advice: 'Set DRAIN_SECONDS of the worker, or end its sessions.',
  },
  {
    name: 'TroupeCanaryStopped',
    ...warning,
    forMinutes: 0,
    holds: canaryStopped,
    advice: 'Compare the failed sessions of both pools, then end the canary.',
  },
  {
    name: 'TroupeFramesMissing',
    ...warning,
    forMinutes: 5,
    limit: 22,
    holds: framesMissing,
    advice: 'Give the workers more CPU time, or fewer WORKER_SLOTS.',
  },
  {
    name: 'TroupeLipsOutOfSync',
    ...warning,
    forMinutes: 10,
    limit: 0.05,
    holds: share(notInTime('lips', '10m'), (part) => {
      return `${part} of speaking sessions show lips more than 80 ms late.`;
    }),
    advice: 'Look at late frames and at the network between workers and media server.',
  },
  {
    name: 'TroupeAnswersSlow',
    ...warning,
    forMinutes: 15,
    limit: 0.05,
    holds: share(notInTime('answers', '15m'), (part) => {
      return `${part} of answers begin later than three seconds after the user.`;
    }),
    advice: 'Look which model is slow: transcript, first token or first sound.',
  },
  {
    name: 'TroupeBotroomClientsSlow',
    ...warning,
    forMinutes: 10,
    limit: 25,
    holds: fasterThan(
      'pictures_dropped',
      '10m',
      (perSecond) =>
        `${Math.round(perSecond)} pictures a second are dropped because clients of botrooms read too slowly.`,
    ),
    advice: 'Ask the clients for a smaller picture or a better connection.',
  },
];

/** The others, and why. */
export const UNJUDGED: Readonly<Record<string, string>> = {
  TroupeControlPlaneDown: 'A control plane that is down cannot say so.',
  TroupeControlPlaneRestarts: 'A control plane does not know how often it was started.',
  TroupeControlPlaneOverloaded: 'The delay of the event loop is not kept over time.',
  TroupeProbeFails: 'The probe reports to Prometheus, not to the service.',
  TroupeProbeSilent: 'The probe reports to Prometheus, not to the service.',
};
