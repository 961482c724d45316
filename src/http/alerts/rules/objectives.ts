/*
 * Alerts on the speed at which the error budgets of the objectives burn, each in several windows.
 */
import { IN_TIME_SECONDS } from '../../metrics/metric-counts.ts';
import { critical, type AlertRule } from '../alert-rule.ts';
import { burning, notInTime } from '../conditions.ts';
import type { KnownState, Window } from '../known-state.ts';

/** An alert if the limit, which is the budget, burns too fast in Prometheus too. */
export type Objective = AlertRule & {
  /** Name of the recorded share of bad sessions. */
  record: string;
  /** PromQL of that share, and of the number of bad sessions. */
  share: (window: Window) => string;
  bad: (window: Window) => string;
  /** A template of Prometheus. */
  summary: (window: Window) => string;
};

const STARTS = 'troupe_session_start_seconds';
const ALL_STARTS = `${STARTS}_count{phase="total"}`;
const STARTS_IN_TIME = `${STARTS}_bucket{phase="total", le="${IN_TIME_SECONDS.starts}"}`;

const ALL_ENDS = 'troupe_sessions_total';
const LOST = `${ALL_ENDS}{end_reason=~"worker_lost|never_started|service_stopped"}`;

const lostSessions =
  (window: Window) =>
  ({ count }: KnownState) => ({
    badCount: count('ended_lost', window),
    total: count('ended', window),
  });

export const OBJECTIVES: readonly Objective[] = [
  {
    name: 'TroupeSessionStartsSlow',
    ...critical,
    forMinutes: 0,
    limit: 0.01,
    ...burning(
      (window) => notInTime('starts', window),
      (part, window) =>
        `${part} of sessions took longer than a second to show their first frame in the last ${window}.`,
    ),
    record: 'slow_starts',
    share: (window) => `1 - sum(rate(${STARTS_IN_TIME}[${window}]))
  / sum(rate(${ALL_STARTS}[${window}]))`,
    bad: (window) => `sum(increase(${ALL_STARTS}[${window}]))
    - sum(increase(${STARTS_IN_TIME}[${window}]))`,
    advice: 'If they wait for a slot, add workers or raise WARM_SLOTS; else look at the workers.',
  },
  {
    name: 'TroupeSessionsLost',
    ...critical,
    forMinutes: 0,
    limit: 0.001,
    ...burning(
      lostSessions,
      (part, window) => `${part} of sessions were lost in the last ${window}.`,
    ),
    record: 'lost_sessions',
    share: (window) => `sum(rate(${LOST}[${window}]))
  / sum(rate(${ALL_ENDS}[${window}]))`,
    bad: (window) => `sum(increase(${LOST}[${window}]))`,
    advice: 'Look at the end reasons of the failed sessions, and at the logs of their workers.',
  },
];
