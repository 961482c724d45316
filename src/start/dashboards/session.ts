import { dataSource, graph, logLines, traceList, type Dashboard } from './dashboard.ts';
import { quantiles, rate } from './promql.ts';

/** Metrics have no session label: its trace and its log lines tell what happened to one. */
export const SESSION: Dashboard = {
  uid: 'troupe-session',
  title: 'Troupe: one session',
  variables: [
    dataSource('traces', 'Tempo', 'tempo'),
    dataSource('logs', 'Loki', 'loki'),
    { name: 'session', label: 'Session id', type: 'textbox', query: '' },
  ],
  panels: [
    traceList(
      'Spans of the session',
      'Request, placement, worker, join, first frame and utterances. Needs OTEL_EXPORTER_OTLP_ENDPOINT.',
      '{ span.troupe.session.id = "$session" }',
    ),
    logLines(
      'Log lines of the session',
      'Lines of control planes and workers that name it.',
      '{job=~".*troupe.*"} |= "$session"',
    ),
    graph(
      'All sessions: time to the first frame',
      'Whether others were slow at the same time.',
      's',
      quantiles('troupe_session_start_seconds', 'phase="total"'),
    ),
    graph('All sessions: ends', 'Whether others ended for the same reason.', 'ops', {
      '{{end_reason}}': rate('troupe_sessions_total', 'end_reason'),
    }),
    graph('All sessions: frames per second', 'Whether others missed frames.', 'short', {
      'frames per second': 'min(troupe_frame_rate)',
    }),
    graph('All sessions: lost workers', 'Whether workers were lost.', 'ops', {
      '{{kind}}': rate('troupe_failovers_total', 'kind'),
    }),
  ],
};
