import { describe, expect, test } from 'vitest';
import { ALERT_RULES, UNJUDGED } from '../../../src/http/alerts/alert-rules.ts';
import { WINDOWS, type KnownState, type Window } from '../../../src/http/alerts/known-state.ts';
import { IN_TIME_SECONDS, type CountName } from '../../../src/http/metrics/metric-counts.ts';
import type { PoolDemand } from '../../../src/fleet/demand.ts';
import type { WorkerState, WorkerStatus } from '../../../src/fleet/fleet.ts';
import { readRules } from '../../support/metrics/rules.ts';

type Given = Partial<Omit<KnownState, 'count'>> & {
  /** In each window that is as long as one of these, or longer. */
  counts?: Partial<Record<CountName, Partial<Record<Window, number>>>>;
};

function worker(fields: { state?: WorkerState; pool?: string; frameRate?: number } = {}) {
  const { state = 'ready', pool = 'default', frameRate } = fields;
  const status = {
    facts: { workerId: `worker-${state}`, kind: 'avatar', pool, slots: 4 },
    load: { performing: 2, lateFrames: 0, draining: false, ...(frameRate && { frameRate }) },
    state,
    taken: 2,
  };
  return status as unknown as WorkerStatus;
}

const idle = { wantedWorkers: 1, freeSlots: 2, warmSlots: 0, queueDepth: 0, queueOldestSeconds: 0 };
const pool = (avatarDemand: Partial<PoolDemand['avatar']> = {}): PoolDemand => ({
  pool: 'default',
  avatar: { ...idle, ...avatarDemand },
  agent: { ...idle, wantedWorkers: 0 },
});

function alertsOf({ counts = {}, ...fields }: Given): string[] {
  const knownState: KnownState = {
    workers: [worker({ frameRate: 25 })],
    pools: [pool()],
    drains: new Map(),
    canary: null,
    ...fields,
    count(name, window) {
      const lengths = Object.entries(counts[name] ?? {}) as [Window, number][];
      return Math.max(
        0,
        ...lengths.flatMap(([countWindow, count]) =>
          WINDOWS[countWindow] <= WINDOWS[window] ? [count] : [],
        ),
      );
    },
  };
  return ALERT_RULES.flatMap(({ name, limit = 0, holds }) =>
    holds(knownState, limit).map(() => name),
  );
}

/**
 * The number in the expression: of a percentile, the share that may be slower; of a burn rate, the
 * budget. Undefined if the expression compares two series or asks for a flag.
 */
function limitOf(expr: string): number | undefined {
  const quantile = /histogram_quantile\(([\d.]+)/.exec(expr)?.[1];
  if (quantile !== undefined) return Number((1 - Number(quantile)).toFixed(4));
  const budget = /ratio_rate\w+ > (?:[\d.]+ \* )?([\d.]+)/.exec(expr)?.[1];
  const compared = budget ?? /(?:[<>] ([\d.]+)|== (0))\s*$/.exec(expr)?.slice(1).find(Boolean);
  return compared === undefined ? undefined : Number(compared);
}

describe('the alerts that a control plane judges', () => {
  test('are those of deploy/prometheus, with their severities and times, or are named as not judged', () => {
    const { alerts } = readRules();
    const names = new Set(alerts.map(({ alert }) => alert ?? ''));
    const judged = ALERT_RULES.map(({ name }) => name);

    expect(new Set([...judged, ...Object.keys(UNJUDGED)])).toEqual(names);
    for (const { name, severity, forMinutes } of ALERT_RULES) {
      const rules = alerts.filter(({ alert }) => alert === name);
      const severities = rules.map(({ labels }) => labels?.['severity']);
      const times = new Set(rules.map((rule) => Number.parseInt(rule.for ?? '0', 10)));
      expect(severities.includes('critical') ? 'critical' : 'warning', name).toBe(severity);
      expect([...times], name).toEqual([forMinutes]);
    }
  });

  test('have the limits of deploy/prometheus', () => {
    const { alerts } = readRules();
    for (const { name, limit } of ALERT_RULES) {
      const rules = alerts.filter(({ alert }) => alert === name);
      for (const { expr } of rules) expect(limitOf(expr), `${name}: ${expr}`).toBe(limit);
    }
  });

  test.each<[keyof typeof IN_TIME_SECONDS, string]>([
    ['reads', 'TroupeApiSlow'],
    ['returns', 'TroupeFailoverSlow'],
    ['answers', 'TroupeAnswersSlow'],
  ])('count %s in time as the percentile of deploy/prometheus does', (name, alert) => {
    const { expr } = readRules().alerts.find((rule) => rule.alert === alert)!;
    expect(Number(/> ([\d.]+)\s*$/.exec(expr)?.[1])).toBe(IN_TIME_SECONDS[name]);
  });

  test.each<[keyof typeof IN_TIME_SECONDS, string]>([
    ['starts', 'troupe_session_start_seconds_bucket'],
    ['lips', 'troupe_av_offset_seconds_bucket'],
  ])('count %s in time in the bucket of deploy/prometheus', (name, series) => {
    const exprs = readRules().rules.filter(({ expr }) => expr.includes(series));
    const bounds = exprs.flatMap(({ expr }) => expr.match(/(?<=le=")[\d.]+/g) ?? []);
    expect(new Set(bounds.map(Number))).toEqual(new Set([IN_TIME_SECONDS[name]]));
  });

  test('are silent while all is well', () => {
    const counts = {
      requests: { '5m': 99 },
      starts: { '5m': 9 },
      starts_in_time: { '5m': 9 },
    } as const;

    expect(alertsOf({ counts })).toEqual([]);
  });

  test.each<[string, Given]>([
    ['TroupeNoAvatarWorkers', { workers: [worker({ state: 'cordoned' })] }],
    ['TroupeSlotsExhausted', { pools: [pool({ freeSlots: 0 })] }],
    ['TroupeFleetTooSmall', { pools: [pool({ wantedWorkers: 2 })] }],
    ['TroupeQueueWaiting', { pools: [pool({ queueOldestSeconds: 1.1 })] }],
    ['TroupeWorkersWithheld', { workers: [worker(), worker({ state: 'late' })] }],
    ['TroupeFramesMissing', { workers: [worker({ frameRate: 21 })] }],
    [
      'TroupeDrainEndless',
      {
        workers: [worker(), worker({ state: 'draining' })],
        drains: new Map([['worker-draining', { sessions: 1, doneBy: null }]]),
      },
    ],
    [
      'TroupeCanaryStopped',
      { canary: { pool: 'next', stoppedAt: 1 } as unknown as NonNullable<KnownState['canary']> },
    ],
    ['TroupeApiErrors', { counts: { requests: { '5m': 99 }, requests_failed: { '5m': 1 } } }],
    ['TroupeApiSlow', { counts: { reads: { '5m': 100 }, reads_in_time: { '5m': 94 } } }],
    ['TroupeWebhooksFailing', { counts: { deliveries_failed: { '1h': 1 } } }],
    ['TroupeCallBudgetsUsedUp', { counts: { day_budgets_reached: { '1h': 1 } } }],
    ['TroupeSessionsRefused', { counts: { rejections: { '10m': 6 }, slots_given: { '10m': 94 } } }],
    ['TroupeFailoversFrequent', { counts: { failovers_agent: { '15m': 4 } } }],
    ['TroupeFailoverSlow', { counts: { returns: { '1h': 10 }, returns_in_time: { '1h': 9 } } }],
    ['TroupeLipsOutOfSync', { counts: { lips: { '10m': 10 }, lips_in_time: { '10m': 9 } } }],
    ['TroupeAnswersSlow', { counts: { answers: { '15m': 10 }, answers_in_time: { '15m': 9 } } }],
    ['TroupeBotroomClientsSlow', { counts: { pictures_dropped: { '10m': 15_001 } } }],
    ['TroupeSessionStartsSlow', { counts: { starts: { '5m': 10 }, starts_in_time: { '5m': 8 } } }],
    ['TroupeSessionsLost', { counts: { ended: { '5m': 100 }, ended_lost: { '5m': 2 } } }],
  ])('%s fires', (name, state) => {
    expect(alertsOf(state)).toEqual([name]);
  });

  test.each<[string, Given]>([
    [
      'refusals for lack of a slot, which are no errors',
      {
        counts: {
          requests: { '5m': 90 },
          requests_failed: { '5m': 1 },
          rejections: { '5m': 1 },
          slots_given: { '5m': 40 },
        },
      },
    ],
    [
      'a quarter of the workers withheld',
      { workers: [worker(), worker(), worker(), worker({ state: 'late' })] },
    ],
    ['three failovers', { counts: { failovers_avatar: { '15m': 3 } } }],
    ['one lost session', { counts: { ended: { '5m': 10 }, ended_lost: { '5m': 1 } } }],
    ['losses that have stopped', { counts: { ended: { '5m': 100 }, ended_lost: { '3d': 9 } } }],
    [
      'a drain that ends',
      {
        workers: [worker(), worker({ state: 'draining' })],
        drains: new Map([['worker-draining', { sessions: 1, doneBy: 9 }]]),
      },
    ],
  ])('%s is no reason', (_what, state) => {
    expect(alertsOf(state)).toEqual([]);
  });
});
