/* The alert rules as Prometheus reads them. */
import type { AlertRule } from './alert-rule.ts';
import { RULE_GROUPS } from './alert-rules.ts';
import { BURNS } from './conditions.ts';
import { WINDOWS, type Window } from './known-state.ts';
import { OBJECTIVES, type Objective } from './rules/objectives.ts';

type PrometheusAlert = Pick<AlertRule, 'name' | 'severity' | 'forMinutes'> & {
  comment?: string;
  expr: string;
  window?: Window;
  summary: string;
};

/** Texts by file name in deploy/prometheus. */
export const prometheusRules = (): Record<string, string> => ({
  'objectives.yml': `# Service level objectives over 30 days, and alerts on the speed at which their error budgets burn.
#   session start: 99 % of sessions show their first frame within one second of the request
#   no session lost: 99.9 % of sessions end for a reason of their own
# The page /docs/alerts explains each alert. Tested by \`npm run test:deploy -- alerts\`.
groups:
${groupText('troupe-objectives', OBJECTIVES.flatMap(recordingTexts))}
  # Two windows each: the long one shows that it matters, the short one that it still goes on.
${groupText('troupe-burn-rates', OBJECTIVES.flatMap(burnAlerts).map(alertText))}`,

  'alerts.yml': `# Alerts of Troupe. The page /docs/alerts explains each one; external label troupe_url (prometheus.yml) makes the links.
# Tested by \`npm run test:deploy -- alerts\`.
groups:
${RULE_GROUPS.map(({ name, comment, rules }) => {
  const alerts = rules.map(({ limit = 0, expr, ...rule }) => ({ ...rule, expr: expr(limit) }));
  return `${comment ? `\n  # ${comment}\n` : ''}${groupText(name, alerts.map(alertText))}`;
}).join('')}`,
});

const groupText = (name: string, rules: string[]): string =>
  `  - name: ${name}
    rules:
${rules.join('')}`;

const alertText = (alert: PrometheusAlert): string =>
  `      - alert: ${alert.name}
${alert.comment ? `        # ${alert.comment}\n` : ''}${exprText(alert.expr)}${
    alert.forMinutes > 0 ? `        for: ${alert.forMinutes}m\n` : ''
  }        labels: { severity: ${alert.severity}${alert.window ? `, window: ${alert.window}` : ''} }
        annotations:
          summary: '${alert.summary}'
          runbook_url: '{{ $externalLabels.troupe_url }}/docs/alerts#${alert.name.toLowerCase()}'
`;

const exprText = (expr: string): string =>
  expr.includes('\n')
    ? `        expr: |\n${expr.replaceAll(/^/gm, '          ')}\n`
    : `        expr: ${expr}\n`;

const recordOf = ({ record }: Objective, window: Window): string =>
  `troupe:${record}:ratio_rate${window}`;

function recordingTexts(objective: Objective): string[] {
  const windows = (Object.keys(WINDOWS) as Window[]).filter((window) =>
    BURNS.some(({ long, short }) => window === long || window === short),
  );
  return windows.map(
    (window) => `      - record: ${recordOf(objective, window)}
${exprText(objective.share(window))}`,
  );
}

const burnAlerts = (objective: Objective): PrometheusAlert[] =>
  BURNS.map(({ long, short, times, lowered }) => {
    const { name, severity, forMinutes, limit } = objective;
    const threshold = times === 1 ? `${limit}` : `${times} * ${limit}`;
    const part = (times * WINDOWS[long]) / MONTH_MS;
    return {
      name,
      severity,
      forMinutes,
      ...lowered,
      window: long,
      comment: `${Math.round(100 * part)} % of the month's budget within ${long}. One session alone raises no alert.`,
      expr: `${recordOf(objective, long)} > ${threshold}
  and ${recordOf(objective, short)} > ${threshold}
  and (
    ${objective.bad(long)}
  ) > 1.5`,
      summary: objective.summary(long),
    };
  });

const MONTH_MS = 30 * 86_400_000;
