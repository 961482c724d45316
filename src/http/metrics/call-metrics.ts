import { Counter, Histogram, type Registry } from 'prom-client';
import { CALL_METRICS } from '#protocol/metric-names.ts';
import { BUDGET_NAMES, UNIT_KEYS, UNITS } from '#protocol/budgets.ts';
import type { CallEvents } from '../../calls/call-events.ts';

const ANSWER_SECONDS = [0.1, 0.2, 0.3, 0.5, 0.75, 1, 1.5, 2, 3, 5, 10];

const STAGES = {
  transcript: 'transcriptMs',
  first_token: 'firstTokenMs',
  first_audio: 'firstAudioMs',
  first_frame: 'firstFrameMs',
} as const;

/** Times the answers of managed agents whose lines this control plane received. */
export function timeAnswers(registry: Registry, callEvents: CallEvents): void {
  const name = 'troupe_answer_seconds';
  const answers = new Histogram({
    name,
    help: CALL_METRICS[name],
    labelNames: ['stage'],
    buckets: ANSWER_SECONDS,
    registers: [registry],
  });
  for (const stage of Object.keys(STAGES)) answers.zero({ stage });
  callEvents.on('answer.timed', ({ latency }) => {
    for (const [stage, field] of Object.entries(STAGES)) {
      const ms = latency[field];
      if (ms !== null) answers.observe({ stage }, ms / 1_000);
    }
  });
}

/** Counts the costs that were reported to this control plane, and the budgets used up. */
export function countSpending(registry: Registry, callEvents: CallEvents): void {
  const counter = (name: keyof typeof CALL_METRICS, labelNames: string[]) =>
    new Counter({ name, help: CALL_METRICS[name], labelNames, registers: [registry] });
  const spending = counter('troupe_call_spending_total', ['unit']);
  const reached = counter('troupe_budgets_reached_total', ['budget', 'unit']);
  for (const unit of UNIT_KEYS) {
    spending.inc({ unit: UNITS[unit].name }, 0);
    for (const budget of BUDGET_NAMES) reached.inc({ budget, unit: UNITS[unit].name }, 0);
  }
  callEvents.on('call.charged', (added) => {
    for (const unit of UNIT_KEYS) spending.inc({ unit: UNITS[unit].name }, added[unit]);
  });
  callEvents.on('budget.reached', ({ budget, unit }) =>
    reached.inc({ budget, unit: UNITS[unit].name }),
  );
}
