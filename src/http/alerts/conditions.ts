/* The conditions of the alert rules, on the state of the service instead of on series. */
import { WORKER_KINDS, type WorkerKind, type WorkerStatus } from '../../fleet/fleet.ts';
import type { Demand } from '../../fleet/demand.ts';
import type { CountName, IN_TIME_SECONDS } from '../metrics/metric-counts.ts';
import { WINDOWS, type KnownState, type Window } from './known-state.ts';

/**
 * Why an alert fires. `about` tells the parts of the service apart; null: the whole. `severity`: if it
 * is lower than that of the rule.
 */
export type Finding = { about: string | null; summary: string; severity?: 'warning' };

/** `limit`: that of the rule. */
export type Condition = (known: KnownState, limit: number) => Finding[];

const whole = (holds: boolean, summary: () => string): Finding[] =>
  holds ? [{ about: null, summary: summary() }] : [];

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;
const ofKind = (workers: readonly WorkerStatus[], kind: WorkerKind) =>
  workers.filter(({ facts }) => facts.kind === kind);

/** Looks at each kind of worker of each pool. */
export const eachPool =
  (
    holds: (demand: Demand, limit: number, workers: WorkerStatus[]) => boolean,
    summary: (name: { kind: WorkerKind; pool: string }, demand: Demand) => string,
  ): Condition =>
  ({ pools, workers }, limit) =>
    pools.flatMap((demands) =>
      WORKER_KINDS.flatMap((kind) => {
        const { pool, [kind]: demand } = demands;
        const own = ofKind(workers, kind).filter(({ facts }) => facts.pool === pool);
        if (!holds(demand, limit, own)) return [];
        return [{ about: `${kind} ${pool}`, summary: summary({ kind, pool }, demand) }];
      }),
    );

/** More than a share of what was counted was not in time, or failed. */
export const share =
  (
    counted: (known: KnownState) => { bad: number; all: number },
    summary: (share: string) => string,
  ): Condition =>
  (known, limit) => {
    const { bad, all } = counted(known);
    return whole(all > 0 && bad / all > limit, () => summary(percent(bad / all)));
  };

export const notInTime =
  (name: keyof typeof IN_TIME_SECONDS, window: Window) =>
  ({ count }: KnownState) => {
    const all = count(name, window);
    return { bad: all - count(`${name}_in_time`, window), all };
  };

export const moreThan =
  (
    name: CountName,
    window: Window,
    { about = null, summary }: { about?: string | null; summary: (count: number) => string },
  ): Condition =>
  ({ count }, limit) => {
    const counted = count(name, window);
    return counted > limit ? [{ about, summary: summary(counted) }] : [];
  };

/** More than the limit each second, on average. */
export const fasterThan =
  (name: CountName, window: Window, summary: (perSecond: number) => string): Condition =>
  ({ count }, limit) => {
    const perSecond = count(name, window) / (WINDOWS[window] / 1000);
    return whole(perSecond > limit, () => summary(perSecond));
  };

/** A budget burns if both windows show it: the long window proves that it matters, the short window that it continues. */
const BURNS = [
  { long: '1h', short: '5m', times: 14.4, lowered: {} },
  { long: '6h', short: '30m', times: 6, lowered: {} },
  { long: '3d', short: '6h', times: 1, lowered: { severity: 'warning' } },
] as const;

/** The budget of errors, which is the limit, burns too fast. One session alone is no reason. */
export const burning =
  (
    counted: (window: Window) => (known: KnownState) => { bad: number; all: number },
    summary: (share: string, window: Window) => string,
  ): Condition =>
  (known, budget) => {
    for (const { long, short, times, lowered } of BURNS) {
      const isBurning = [long, short].every((window) => {
        const { bad, all } = counted(window)(known);
        return all > 0 && bad / all > times * budget;
      });
      const { bad, all } = counted(long)(known);
      if (isBurning && bad > 1.5) {
        return [{ about: null, summary: summary(percent(bad / all), long), ...lowered }];
      }
    }
    return [];
  };

export const noReadyAvatarWorker: Condition = ({ workers }) =>
  whole(
    ofKind(workers, 'avatar').every(({ state }) => state !== 'ready'),
    () => 'No avatar worker is ready.',
  );

export const manyWithheld: Condition = ({ workers }, limit) =>
  WORKER_KINDS.flatMap((kind) => {
    const all = ofKind(workers, kind);
    const held = all.filter(({ state }) => state === 'late' || state === 'resting');
    if (all.length === 0 || held.length / all.length <= limit) return [];
    const summary = `${held.length} of ${all.length} ${kind} workers are late or resting.`;
    return [{ about: kind, summary }];
  });

export const endlessDrain: Condition = ({ workers, drains }) =>
  workers
    .filter(({ facts }) => drains.get(facts.workerId)?.doneBy === null)
    .map(({ facts: { workerId, host } }) => ({
      about: workerId,
      summary: `The draining worker ${host ?? workerId} may never be empty.`,
    }));

export const canaryStopped: Condition = ({ canary }) =>
  whole(canary !== null && canary.stoppedAt !== null, () => {
    return `The canary ${canary?.pool} stopped: more of its sessions failed than of the others.`;
  });

/** The mean over the sessions that are shown. */
export const framesMissing: Condition = ({ workers }, limit) => {
  const showing = ofKind(workers, 'avatar').flatMap(({ load: { frameRate, performing } }) =>
    frameRate === undefined ? [] : [{ frameRate, performing }],
  );
  const sessions = showing.reduce((sum, { performing }) => sum + performing, 0);
  const frames = showing.reduce((sum, each) => sum + each.frameRate * each.performing, 0);
  const rate = frames / sessions;
  return whole(sessions > 0 && rate < limit, () => {
    return `Sessions show ${rate.toFixed(1)} frames per second instead of 25.`;
  });
};
