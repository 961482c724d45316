/* The parts of Grafana's dashboard format that the dashboards use. */

/** Variables of every dashboard, so that it fits any installation. */
const METRICS_SOURCE = { type: 'prometheus', uid: '${metrics}' };
const TRACES_SOURCE = { type: 'tempo', uid: '${traces}' };
const LOGS_SOURCE = { type: 'loki', uid: '${logs}' };

const COLUMNS = 24;
const HEIGHT = 8;

/** PromQL by legend, where `{{label}}` is the label's value. */
export type Queries = Record<string, string>;
type Unit = 's' | 'short' | 'percentunit' | 'reqps' | 'Bps' | 'bytes' | 'ops';

export type Panel = {
  title: string;
  /** Conclusion that a reader may draw from it. */
  description: string;
  /** In columns of 24. */
  width: number;
  fields: object;
};

/** A graph over time. */
export const graph = (
  title: string,
  description: string,
  unit: Unit,
  queries: Queries,
  width = 12,
): Panel => ({
  title,
  description,
  width,
  fields: {
    type: 'timeseries',
    datasource: METRICS_SOURCE,
    fieldConfig: { defaults: { unit, min: 0 }, overrides: [] },
    options: { legend: { displayMode: 'list', placement: 'bottom' }, tooltip: { mode: 'multi' } },
    targets: targetsOf(queries),
  },
});

/** One number: green, or red from `alarm` on (below it, with `isFloor`). */
export const figure = (
  title: string,
  description: string,
  unit: Unit,
  expr: string,
  { alarm, isFloor = false }: { alarm?: number; isFloor?: boolean } = {},
): Panel => ({
  title,
  description,
  width: 4,
  fields: {
    type: 'stat',
    datasource: METRICS_SOURCE,
    fieldConfig: {
      defaults: {
        unit,
        thresholds: {
          mode: 'absolute',
          steps: [
            { color: isFloor ? 'red' : 'green', value: null },
            ...(alarm === undefined ? [] : [{ color: isFloor ? 'green' : 'red', value: alarm }]),
          ],
        },
      },
      overrides: [],
    },
    options: { reduceOptions: { calcs: ['lastNotNull'] }, graphMode: 'area' },
    targets: targetsOf({ [title]: expr }),
  },
});

/** Rows of spans that match a TraceQL query. */
export const traceList = (title: string, description: string, traceQl: string): Panel => ({
  title,
  description,
  width: COLUMNS,
  fields: {
    type: 'table',
    datasource: TRACES_SOURCE,
    targets: [{ refId: 'A', queryType: 'traceql', query: traceQl, limit: 100, tableType: 'spans' }],
  },
});

/** Log lines that match a LogQL query. */
export const logLines = (title: string, description: string, logQl: string): Panel => ({
  title,
  description,
  width: COLUMNS,
  fields: {
    type: 'logs',
    datasource: LOGS_SOURCE,
    options: { showTime: true, wrapLogMessage: true, sortOrder: 'Ascending' },
    targets: [{ refId: 'A', expr: logQl }],
  },
});

const targetsOf = (queries: Queries) =>
  Object.entries(queries).map(([legendFormat, expr], at) => ({
    refId: String.fromCodePoint('A'.codePointAt(0)! + at),
    expr,
    legendFormat,
  }));

type Variable = { name: string; label: string; type: string; query: string };

export type Dashboard = { uid: string; title: string; panels: Panel[]; variables?: Variable[] };

export const dataSource = (name: string, label: string, type: string): Variable => ({
  name,
  label,
  type: 'datasource',
  query: type,
});

/** The dashboard as Grafana imports it. Panels fill rows from left to right. */
export function toGrafana({ uid, title, panels, variables = [] }: Dashboard) {
  let [x, y] = [0, 0];
  const placed = panels.map(({ title, description, width, fields }, at) => {
    if (x + width > COLUMNS) [x, y] = [0, y + HEIGHT];
    const gridPos = { x, y, w: width, h: HEIGHT };
    x += width;
    return { id: at + 1, title, description, gridPos, ...fields };
  });
  return {
    uid,
    title,
    tags: ['troupe'],
    schemaVersion: 38,
    editable: true,
    refresh: '30s',
    time: { from: 'now-6h', to: 'now' },
    timezone: 'browser',
    // A list of the other dashboards.
    links: [{ type: 'dashboards', title: 'Troupe', tags: ['troupe'], asDropdown: true }],
    templating: { list: [dataSource('metrics', 'Prometheus', 'prometheus'), ...variables] },
    panels: placed,
  };
}
