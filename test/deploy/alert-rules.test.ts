import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { knownSeries, unknownIn } from '../support/metrics/known-series.ts';
import { usesOf } from '../support/metrics/promql.ts';
import { readRules, readRuleTests } from '../support/metrics/rules.ts';

const { rules, recorded, alerts } = readRules();
const names = [...new Set(alerts.map(({ alert }) => alert!))];

describe('the alert rules', () => {
  test('use only series, labels and values that exist', async () => {
    const series = await knownSeries(recorded);

    expect(rules.length).toBeGreaterThan(20);
    for (const { alert, record, expr } of rules)
      expect(unknownIn(expr, series), alert ?? record).toEqual([]);
  });

  test('have a severity, a summary and a link to their section', () => {
    for (const { alert, labels, annotations } of alerts) {
      expect(labels?.['severity'], alert).toMatch(/^(critical|warning)$/);
      expect(annotations?.['summary'], alert).toMatch(/\.$/);
      expect(annotations?.['runbook_url']).toBe(
        `{{ $externalLabels.troupe_url }}/docs/alerts#${alert!.toLowerCase()}`,
      );
    }
  });

  test('have a section each on the page, which says what it means and what to do', () => {
    const [, ...sections] = readFileSync('deploy/prometheus/RUNBOOK.md', 'utf8').split(/^## /m);
    const sectionsOfAlerts = sections.filter((section) => section.startsWith('Troupe'));

    const titles = sectionsOfAlerts.map((section) => section.split('\n')[0]!);
    expect(titles.sort()).toEqual(names.toSorted());
    for (const section of sectionsOfAlerts) {
      const leads = [...section.matchAll(/^- ([^:\n]+):/gm)].map(([, lead]) => lead);
      expect(leads, section).toEqual(['Meaning', 'Look at', 'Do']);
    }
  });

  test('each fire in a case for promtool', () => {
    const fired = readRuleTests().filter((one) => one.exp_alerts.length > 0);

    expect([...new Set(fired.map(({ alertname }) => alertname))].sort()).toEqual(names.toSorted());
  });
});

describe('the series in an expression', () => {
  test('are found with their matchers and groups', () => {
    expect(usesOf('max by (kind) (a_total{x="1", y=~"b|c"}) / rate(other[5m]) > 2')).toEqual({
      series: [
        {
          name: 'a_total',
          matchers: [
            { label: 'x', operator: '=', value: '1' },
            { label: 'y', operator: '=~', value: 'b|c' },
          ],
        },
        { name: 'other', matchers: [] },
      ],
      groupedBy: ['kind'],
    });
  });

  test.each([
    ['troupe_nothing', 'no series troupe_nothing'],
    ['troupe_session_start_seconds', 'no series troupe_session_start_seconds'],
    ['troupe_slots{pol="a"}', 'no label pol of troupe_slots'],
    ['troupe_slots{state="late"}', 'no value late of state of troupe_slots'],
    ['sum by (pool) (troupe_sessions_total)', 'no label pool to group by'],
    [
      'troupe_failover_seconds_bucket{le="4"}',
      'no value 4 of le of troupe_failover_seconds_bucket',
    ],
  ])('of %s do not all exist', async (expression, problem) => {
    expect(unknownIn(expression, await knownSeries([]))).toEqual([problem]);
  });
});
