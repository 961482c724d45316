/* The conditions of the alert rules, on the state of the service instead of on series. */
import { WORKER_KINDS, type WorkerKind, type WorkerStatus } from '../../fleet/fleet.ts';
import type { Demand } from '../../fleet/demand.ts';
import type { CountName, IN_TIME_SECONDS } from '../metrics/metric-counts.ts';
import { WINDOWS, type KnownState, type Window } from './known-state.ts';

/**
 * Why an alert fires. `about` tells the parts of the service apart; null: the whole. `severity`: if
 * it is lower than that of the rule.
 */
export type Finding = { about: string | null; summary: string; severity?: 'warning' };

/** `limit`: that of the rule. */
export type Condition = (state: KnownState, limit: number) => Finding[];

/** `summary`: a template of Prometheus for the summaries of the findings. */
type Judgement = { holds: Condition; summary: string };

const SHARE = '{{ $value | humanizePercentage }}';
const NUMBER = '{{ $value | humanize }}';
const KIND = '{{ $labels.kind }}';
const POOL = '{{ $labels.pool }}';

const ofService = (holds: boolean, summary: () => string): Finding[] =>
  holds ? [{ about: null, summary: summary() }] : [];

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;
const ofKind = (workers: readonly WorkerStatus[], kind: WorkerKind) =>
  workers.filter(({ facts }) => facts.kind === kind);

type PoolFindings = {
  isBad: (demand: Demand, limit: number, workers: WorkerStatus[]) => boolean;
  summary: (labels: { kind: string; pool: string }, value: string) => string;
  textOf?: (demand: Demand) => string;
  /** The value in Prometheus. */
  template?: string;
};

/** Looks at each kind of worker of each pool. */
export const eachPool = ({
  isBad,
  summary,
  textOf = () => '',
  template = '{{ $value }}',
}: PoolFindings): Judgement => ({
  holds: ({ pools, workers }, limit) =>
    pools.flatMap((demands) =>
      WORKER_KINDS.flatMap((kind) => {
        const { pool, [kind]: demand } = demands;
        const poolWorkers = ofKind(workers, kind).filter(({ facts }) => facts.pool === pool);
        if (!isBad(demand, limit, poolWorkers)) return [];
        const about = `${kind} ${pool}`;
        return [{ about, summary: summary({ kind, pool }, textOf(demand)) }];
      }),
    ),
  summary: summary({ kind: KIND, pool: POOL }, template),
});

/** More than a share of what was counted was not in time, or failed. */
export const share = (
  counted: (state: KnownState) => { badCount: number; total: number },
  summary: (share: string) => string,
): Judgement => ({
  holds(state, limit) {
    const { badCount, total } = counted(state);
    return ofService(total > 0 && badCount / total > limit, () =>
      summary(percent(badCount / total)),
    );
  },
  summary: summary(SHARE),
});

export const notInTime =
  (name: keyof typeof IN_TIME_SECONDS, window: Window) =>
  ({ count }: KnownState) => {
    const total = count(name, window);
    return { badCount: total - count(`${name}_in_time`, window), total };
  };

export const moreThan = (
  name: CountName,
  window: Window,
  summary: (count: string) => string,
): Judgement => ({
  holds: ({ count }, limit) => {
    const counted = count(name, window);
    return ofService(counted > limit, () => summary(String(counted)));
  },
  summary: summary(NUMBER),
});

export const manyFailovers = (
  window: Window,
  summary: (count: string, kind: string) => string,
): Judgement => ({
  holds: ({ count }, limit) =>
    WORKER_KINDS.flatMap((kind) => {
      const counted = count(`failovers_${kind}`, window);
      return counted > limit ? [{ about: kind, summary: summary(String(counted), kind) }] : [];
    }),
  summary: summary(NUMBER, KIND),
});

/** More than the limit each second, on average. */
export const fasterThan = (
  name: CountName,
  window: Window,
  summary: (perSecond: string) => string,
): Judgement => ({
  holds: ({ count }, limit) => {
    const perSecond = count(name, window) / (WINDOWS[window] / 1000);
    return ofService(perSecond > limit, () => summary(String(Math.round(perSecond))));
  },
  summary: summary(NUMBER),
});

/**
 * A budget burns if both windows show it: the long window proves that it matters, the short window
 * that it continues.
 */
export const BURNS = [
  { long: '1h', short: '5m', times: 14.4, lowered: {} },
  { long: '6h', short: '30m', times: 6, lowered: {} },
  { long: '3d', short: '6h', times: 1, lowered: { severity: 'warning' } },
] as const;

/** The budget of errors, which is the limit, burns too fast. One session alone is no reason. */
export const burning = (
  counted: (window: Window) => (state: KnownState) => { badCount: number; total: number },
  summary: (share: string, window: string) => string,
) => ({
  holds(state: KnownState, budget: number): Finding[] {
    for (const { long, short, times, lowered } of BURNS) {
      const isBurning = [long, short].every((window) => {
        const { badCount, total } = counted(window)(state);
        return total > 0 && badCount / total > times * budget;
      });
      const { badCount, total } = counted(long)(state);
      if (isBurning && badCount > 1.5) {
        return [{ about: null, summary: summary(percent(badCount / total), long), ...lowered }];
      }
    }
    return [];
  },
  summary: (window: Window) => summary(SHARE, window),
});

const NO_READY_AVATAR_WORKER = 'No avatar worker is ready.';

export const noReadyAvatarWorker: Judgement = {
  holds: ({ workers }) =>
    ofService(
      ofKind(workers, 'avatar').every(({ state }) => state !== 'ready'),
      () => NO_READY_AVATAR_WORKER,
    ),
  summary: NO_READY_AVATAR_WORKER,
};

export const manyWithheld: Judgement = {
  holds: ({ workers }, limit) =>
    WORKER_KINDS.flatMap((kind) => {
      const workersOfKind = ofKind(workers, kind);
      const withheld = workersOfKind.filter(({ state }) => state === 'late' || state === 'resting');
      if (workersOfKind.length === 0 || withheld.length / workersOfKind.length <= limit) return [];
      const summary = `${withheld.length} of ${workersOfKind.length} ${kind} workers are late or resting.`;
      return [{ about: kind, summary }];
    }),
  summary: `${SHARE} of ${KIND} workers are late or resting.`,
};

export const endlessDrain: Judgement = {
  holds: ({ workers, drains }) =>
    workers
      .filter(({ facts }) => drains.get(facts.workerId)?.doneBy === null)
      .map(({ facts: { workerId, host } }) => ({
        about: workerId,
        summary: `The draining worker ${host ?? workerId} may never be empty.`,
      })),
  summary: `A draining ${KIND} worker of pool ${POOL} may never be empty.`,
};

export const canaryStopped: Judgement = {
  holds: ({ canary }) =>
    ofService(canary !== null && canary.stoppedAt !== null, () => {
      return `The canary ${canary?.pool} stopped: more of its sessions failed than of the others.`;
    }),
  summary: 'The canary stopped: more of its sessions failed than of the others.',
};

/** The mean over the sessions that are shown. */
export const framesMissing = (summary: (rate: string) => string): Judgement => ({
  holds({ workers }, limit) {
    const showing = ofKind(workers, 'avatar').flatMap(({ load: { frameRate, performing } }) =>
      frameRate === undefined ? [] : [{ frameRate, performing }],
    );
    const sessions = showing.reduce((sum, { performing }) => sum + performing, 0);
    const frames = showing.reduce((sum, each) => sum + each.frameRate * each.performing, 0);
    const rate = frames / sessions;
    return ofService(sessions > 0 && rate < limit, () => summary(rate.toFixed(1)));
  },
  summary: summary(NUMBER),
});
