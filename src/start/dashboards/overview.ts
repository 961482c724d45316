import { figure, graph, type Dashboard } from './dashboard.ts';
import { fleet, quantiles, rate, ratio } from './promql.ts';

const START = 'troupe_session_start_seconds';
const LOST = 'troupe_sessions_total{end_reason=~"worker_lost|never_started|service_stopped"}';

export const OVERVIEW: Dashboard = {
  uid: 'troupe-overview',
  title: 'Troupe: overview',
  panels: [
    figure(
      'Starts within 1 s',
      'Objective: 99 %, from the request to the first frame.',
      'percentunit',
      `sum(increase(${START}_bucket{phase="total", le="1"}[$__range])) / sum(increase(${START}_count{phase="total"}[$__range]))`,
      { alarm: 0.99, isFloor: true },
    ),
    figure(
      'Sessions lost',
      'Objective: below 0.1 %.',
      'percentunit',
      `sum(increase(${LOST}[$__range])) / sum(increase(troupe_sessions_total[$__range]))`,
      { alarm: 0.001 },
    ),
    figure(
      'Sessions now',
      'Taken slots of avatar workers.',
      'short',
      'sum(max by (pool) (troupe_slots{kind="avatar", state="taken"}))',
    ),
    figure(
      'Free slots',
      'New sessions that can start at once.',
      'short',
      'sum(max by (pool) (troupe_slots{kind="avatar", state="free"}))',
      { alarm: 1, isFloor: true },
    ),
    figure('Frames per second', 'Per session; 25 is full.', 'short', 'min(troupe_frame_rate)', {
      alarm: 22,
      isFloor: true,
    }),
    figure(
      'Failed requests',
      '5xx without refusals for lack of slots.',
      'percentunit',
      `(${rate('troupe_http_request_seconds_count{status=~"5.."}')} - ${rate('troupe_rejections_total')}) / ${rate('troupe_http_request_seconds_count')}`,
      { alarm: 0.01 },
    ),
    graph(
      'Time to the first frame',
      'From the request, with the wait for a slot.',
      's',
      quantiles(START, 'phase="total"'),
    ),
    graph('Ends of sessions', 'By reason. The page /docs/fleet explains each.', 'ops', {
      '{{end_reason}}': rate('troupe_sessions_total', 'end_reason'),
    }),
    graph('Slots of avatar workers', 'By state, all pools.', 'short', {
      '{{state}}': fleet('troupe_slots{kind="avatar"}', 'state'),
    }),
    graph('Refused sessions', 'No slot came free in time.', 'ops', {
      '{{reason}}': rate('troupe_rejections_total', 'reason'),
    }),
    graph('Budget burn: starts', '1 spends the 30 days’ error budget in 30 days.', 'short', {
      '1 h': 'troupe:slow_starts:ratio_rate1h / 0.01',
      '6 h': 'troupe:slow_starts:ratio_rate6h / 0.01',
    }),
    graph('Budget burn: lost sessions', '1 spends the 30 days’ error budget in 30 days.', 'short', {
      '1 h': 'troupe:lost_sessions:ratio_rate1h / 0.001',
      '6 h': 'troupe:lost_sessions:ratio_rate6h / 0.001',
    }),
    graph('Lips behind the voice', 'Share of speaking sessions over 80 ms.', 'percentunit', {
      'over 80 ms': `1 - ${ratio('troupe_av_offset_seconds_bucket{le="0.08"}', 'troupe_av_offset_seconds_count')}`,
    }),
    graph('Probe', 'Steps of the last `npm run probe`, as a caller sees them.', 's', {
      '{{step}}': 'troupe_probe_step_duration_seconds',
    }),
    graph('Lost workers', 'Sessions that needed another worker.', 'ops', {
      '{{kind}}': rate('troupe_failovers_total', 'kind'),
    }),
  ],
};
