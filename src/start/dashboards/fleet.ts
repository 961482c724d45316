import { graph, type Dashboard } from './dashboard.ts';
import { fleet, quantile, quantiles, rate } from './promql.ts';

export const FLEET: Dashboard = {
  uid: 'troupe-fleet',
  title: 'Troupe: fleet',
  panels: [
    graph('Workers', 'By kind, state and pool.', 'short', {
      '{{kind}} {{state}} ({{pool}})': fleet('troupe_workers', 'kind, state, pool'),
    }),
    graph('Wanted and connected', 'An autoscaler closes the gap.', 'short', {
      'wanted {{kind}} ({{pool}})': 'max by (kind, pool) (troupe_wanted_workers)',
      'connected {{kind}} ({{pool}})': fleet('troupe_workers', 'kind, pool'),
    }),
    graph('Versions', 'An upgrade moves workers from one to the other.', 'short', {
      '{{kind}} {{version}}': fleet('troupe_workers', 'kind, version'),
    }),
    graph('Slots', 'By kind, state and pool.', 'short', {
      '{{kind}} {{state}} ({{pool}})': 'max by (kind, state, pool) (troupe_slots)',
    }),
    graph('Waiting requests', 'By kind and pool.', 'short', {
      '{{kind}} ({{pool}})': 'max by (kind, pool) (troupe_queue_depth)',
    }),
    graph('Oldest waiting request', 'Requests are refused after SLOT_WAIT_MS.', 's', {
      '{{kind}} ({{pool}})': 'max by (kind, pool) (troupe_queue_oldest_seconds)',
    }),
    graph('Stages of a start, 95 %', 'Shows which stage takes the time.', 's', {
      '{{phase}}': quantile(0.95, 'troupe_session_start_seconds', '', 'le, phase'),
    }),
    graph('Lost workers', 'Sessions that needed another worker.', 'ops', {
      '{{kind}}': rate('troupe_failovers_total', 'kind'),
    }),
    graph(
      'Time without a face after a loss',
      'From the loss until another worker shows it.',
      's',
      quantiles('troupe_failover_seconds', ''),
    ),
    graph('Moved sessions', 'On purpose: off draining workers, or by a rebalance.', 'ops', {
      '{{kind}}': rate('troupe_handovers_total', 'kind'),
    }),
    graph('Drains', 'Time until the last draining worker is empty, at the latest.', 's', {
      '{{kind}} ({{pool}})': 'max by (kind, pool) (troupe_drain_seconds)',
    }),
    graph('Canary: sessions', 'Sessions of this trial by arm.', 'short', {
      '{{arm}}': 'max by (arm) (troupe_canary_sessions)',
    }),
    graph('Canary: failures', 'Share of the sessions of each arm.', 'percentunit', {
      '{{arm}}':
        'max by (arm) (troupe_canary_failures) / (max by (arm) (troupe_canary_sessions) > 0)',
      'share of new sessions': 'max(troupe_canary_share)',
    }),
    graph('Overflow: sessions', 'Open at the outside service of each pool.', 'short', {
      '{{pool}}': 'max by (pool) (troupe_overflow_sessions)',
    }),
    graph(
      'Overflow: cost',
      'Share of the ceiling of this period: spent, and held for open sessions.',
      'percentunit',
      {
        'spent ({{pool}})':
          'max by (pool) (troupe_overflow_spent) / (max by (pool) (troupe_overflow_ceiling) > 0)',
        'held ({{pool}})':
          'max by (pool) (troupe_overflow_reserved) / (max by (pool) (troupe_overflow_ceiling) > 0)',
      },
    ),
    graph('Frames per second', 'Per session; 25 is full.', 'short', {
      'frames per second': 'min(troupe_frame_rate)',
    }),
    graph('Quality', 'Workers that show less for want of CPU time.', 'short', {
      '{{quality}} ({{pool}})':
        'max by (quality, pool) (troupe_worker_quality{quality!="full"}) > 0',
    }),
    graph('Botrooms', 'Open rooms of each control plane.', 'short', {
      '{{instance}}': 'troupe_botrooms',
    }),
    graph('Botroom traffic', 'Pictures and sound go out, speech comes in.', 'Bps', {
      '{{direction}}': rate('troupe_botroom_bytes_total', 'direction'),
      'dropped pictures a second': rate('troupe_botroom_pictures_dropped_total'),
    }),
  ],
};
