import { critical, warning, type RuleGroup } from '../alert-rule.ts';

const unjudged = 'The probe reports to Prometheus, not to the service.';

export const PROBE: RuleGroup = {
  name: 'troupe-probe',
  comment: 'Only where `npm run probe` runs again and again, and Prometheus reads its metrics.',
  rules: [
    {
      name: 'TroupeProbeFails',
      ...critical,
      forMinutes: 10,
      limit: 0,
      expr: (limit) => `troupe_probe_success == ${limit}`,
      summary: 'The probe has found no working session for ten minutes.',
      unjudged,
    },
    {
      name: 'TroupeProbeSilent',
      ...warning,
      forMinutes: 0,
      limit: 1800,
      expr: (limit) => `time() - troupe_probe_run_timestamp_seconds > ${limit}`,
      summary: 'The last probe ended {{ $value | humanizeDuration }} ago.',
      unjudged,
    },
  ],
};
