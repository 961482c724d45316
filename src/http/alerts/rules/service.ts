import { DAY_BUDGETS, IN_TIME_SECONDS } from '../../metrics/metric-counts.ts';
import { critical, warning, type RuleGroup } from '../alert-rule.ts';
import { moreThan, notInTime, share } from '../conditions.ts';
import type { KnownState } from '../known-state.ts';

const failedRequests = ({ count }: KnownState) => ({
  badCount: count('requests_failed', '5m') - count('rejections', '5m'),
  total: count('requests', '5m'),
});

export const SERVICE: RuleGroup = {
  name: 'troupe-service',
  rules: [
    {
      name: 'TroupeControlPlaneDown',
      ...critical,
      forMinutes: 2,
      expr: () => 'up{job="troupe"} == 0',
      summary: 'Control plane {{ $labels.instance }} does not answer Prometheus.',
      unjudged: 'A control plane that is down cannot report it.',
    },
    {
      name: 'TroupeControlPlaneRestarts',
      ...warning,
      forMinutes: 0,
      limit: 3,
      expr: (limit) => `changes(process_start_time_seconds{job="troupe"}[1h]) > ${limit}`,
      summary: 'Control plane {{ $labels.instance }} started {{ $value }} times in an hour.',
      unjudged: 'A control plane does not know how often it was started.',
    },
    {
      name: 'TroupeControlPlaneOverloaded',
      ...warning,
      forMinutes: 10,
      limit: 0.25,
      expr: (limit) => `nodejs_eventloop_lag_p99_seconds{job="troupe"} > ${limit}`,
      summary:
        'Requests wait {{ $value | humanizeDuration }} for the event loop of {{ $labels.instance }}.',
      unjudged: 'The delay of the event loop is not kept over time.',
    },
    {
      name: 'TroupeApiErrors',
      ...critical,
      forMinutes: 5,
      limit: 0.01,
      ...share(failedRequests, (part) => `${part} of requests fail with 5xx.`),
      comment: 'Refusals for lack of slots are 503 too, and have an alert of their own.',
      expr: (limit) => `(
  sum(rate(troupe_http_request_seconds_count{status=~"5.."}[5m]))
    - sum(rate(troupe_rejections_total[5m]))
) / sum(rate(troupe_http_request_seconds_count[5m])) > ${limit}`,
      advice: 'Look at the health of the database and of Redis, then at the log of level 50.',
    },
    {
      name: 'TroupeApiSlow',
      ...warning,
      forMinutes: 10,
      limit: 0.05,
      ...share(notInTime('reads', '5m'), (part) => {
        return `${part} of reads take longer than half a second.`;
      }),
      comment: 'Event streams stay open, and new sessions wait for a slot.',
      expr: (limit) => `histogram_quantile(${1 - limit}, sum by (le) (
  rate(troupe_http_request_seconds_bucket{method="GET", route=~"/v1/.*", route!~".*/events"}[5m])
)) > ${IN_TIME_SECONDS.reads}`,
      summary: '5 % of reads take longer than {{ $value | humanizeDuration }}.',
      advice: 'Look at the load of the control planes and of the database.',
    },
    {
      name: 'TroupeWebhooksFailing',
      ...warning,
      forMinutes: 0,
      limit: 0,
      ...moreThan(
        'deliveries_failed',
        '1h',
        (count) => `${count} webhook deliveries were given up in an hour.`,
      ),
      expr: (limit) =>
        `sum(increase(troupe_webhook_deliveries_total{result="failed"}[1h])) > ${limit}`,
      advice:
        'Read the errors in the deliveries of the webhook, and redeliver when it is repaired.',
    },
    {
      name: 'TroupeCallBudgetsUsedUp',
      ...warning,
      forMinutes: 0,
      limit: 0,
      ...moreThan(
        'day_budgets_reached',
        '1h',
        (count) => `${count} daily budgets of agents, links or accounts were used up in an hour.`,
      ),
      comment: 'Budgets of a call and of an address stop one visitor, as they should.',
      expr: (limit) =>
        `sum(increase(troupe_budgets_reached_total{budget=~"${DAY_BUDGETS.join('|')}"}[1h])) > ${limit}`,
      advice: 'Find the agent by its webhook, then raise its limits or make its link private.',
    },
  ],
};
