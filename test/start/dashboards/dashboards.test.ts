import { readdirSync, readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { prometheusRules } from '../../../src/http/alerts/prometheus-rules.ts';
import { DASHBOARDS } from '../../../src/start/dashboards/all.ts';
import { toGrafana } from '../../../src/start/dashboards/dashboard.ts';
import { readRules } from '../../support/metrics/rules.ts';
import { knownSeries, unknownIn } from '../../support/metrics/known-series.ts';

type Placed = {
  title: string;
  gridPos: { x: number; y: number; w: number; h: number };
  datasource: { uid: string; type: string };
  targets: { expr?: string; refId: string }[];
};
type Made = { uid: string; panels: Placed[]; templating: { list: { name: string }[] } };

const names = Object.keys(DASHBOARDS);
const dashboardOf = (name: string) => toGrafana(DASHBOARDS[name]!) as unknown as Made;

let series: Awaited<ReturnType<typeof knownSeries>>;
beforeAll(async () => {
  series = await knownSeries(readRules().recorded);
});

describe('the dashboards', () => {
  test('in deploy/grafana are those that `npm run dashboards` writes', () => {
    expect(readdirSync('deploy/grafana').sort()).toEqual(
      names.map((name) => `${name}.json`).sort(),
    );
    for (const name of names) {
      const text = readFileSync(`deploy/grafana/${name}.json`, 'utf8');
      expect(JSON.parse(text), name).toEqual(toGrafana(DASHBOARDS[name]!));
    }
  });

  test('have ids of their own', () => {
    expect(new Set(names.map((name) => dashboardOf(name).uid)).size).toBe(names.length);
  });
});

test.each(Object.entries(prometheusRules()))(
  'the rules in deploy/prometheus/%s are those that `npm run dashboards` writes',
  (name, text) => {
    expect(readFileSync(`deploy/prometheus/${name}`, 'utf8')).toBe(text);
  },
);

describe.each(names)('the dashboard %s', (name) => {
  test('uses only series, labels and values that exist', () => {
    const panels = dashboardOf(name).panels.filter(
      ({ datasource }) => datasource.type === 'prometheus',
    );
    const expressions = panels.flatMap(({ title, targets }) =>
      targets.map(({ expr = '' }) => ({ title, expr })),
    );

    expect(expressions.length).toBeGreaterThan(3);
    for (const { title, expr } of expressions) expect(unknownIn(expr, series), title).toEqual([]);
  });

  test('has no two panels in one place, and none outside', () => {
    const { panels } = dashboardOf(name);

    const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w }, (_, at) => `${x + at}/${y}/${h}`),
    );
    expect(new Set(cells).size).toBe(cells.length);
    expect(Math.max(...panels.map(({ gridPos: { x, w } }) => x + w))).toBeLessThanOrEqual(24);
  });

  test('reads only data sources that the reader can choose', () => {
    const { panels, templating } = dashboardOf(name);

    const variables = templating.list.map((variable) => `\${${variable.name}}`);
    for (const { datasource } of panels) expect(variables).toContain(datasource.uid);
  });
});
