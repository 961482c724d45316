import Type, { type Static } from 'typebox';
import type { Alert } from './alert-watch.ts';
import { ALERT_RULES, UNJUDGED } from './alert-rules.ts';
import { isoTime, Time } from '../resource/schema-parts.ts';

const AlertBody = Type.Object({
  name: Type.String({ description: 'Name of the rule in `deploy/prometheus`.' }),
  state: Type.Enum(['firing', 'pending'], {
    type: 'string',
    description: '`pending`: its condition does not hold long enough yet.',
  }),
  severity: Type.Enum(['critical', 'warning'], { type: 'string' }),
  summary: Type.String(),
  about: Type.Union([Type.String(), Type.Null()], {
    description: 'The part of the service; null: the whole.',
  }),
  since: { ...Time, description: 'When this control plane first saw its condition.' },
  for_minutes: Type.Integer({ description: 'How long the condition must hold until it fires.' }),
  advice: Type.String({ description: 'The first thing to do.' }),
  runbook: Type.String({ description: 'Path of the runbook page.' }),
});

export const AlertsBody = Type.Object(
  {
    data: Type.Array(AlertBody, {
      description: 'The firing ones first, of these the critical ones.',
    }),
    judged: Type.Array(Type.String(), { description: 'Names of the rules that are judged here.' }),
    not_judged: Type.Array(Type.Object({ name: Type.String(), reason: Type.String() }), {
      description: 'Rules that only Prometheus can judge.',
    }),
  },
  { $id: 'FleetAlerts' },
);

export const alertSchemas = [AlertsBody];

export const toAlertsBody = (alerts: readonly Alert[]): Static<typeof AlertsBody> => ({
  data: alerts.map(({ name, state, severity, summary, about, since, forMinutes, advice }) => ({
    name,
    state,
    severity,
    summary,
    about,
    since: isoTime(since),
    for_minutes: forMinutes,
    advice,
    runbook: `/docs/alerts#${name.toLowerCase()}`,
  })),
  judged: ALERT_RULES.map(({ name }) => name),
  not_judged: Object.entries(UNJUDGED).map(([name, reason]) => ({ name, reason })),
});
