import { graph, type Dashboard } from './dashboard.ts';
import { quantile, rate } from './promql.ts';

const REQUESTS = 'troupe_http_request_seconds';
/** Event streams stay open for as long as the client wants. */
const ANSWERS = 'route!~".*/events"';

export const API: Dashboard = {
  uid: 'troupe-api',
  title: 'Troupe: API',
  panels: [
    graph('Requests', 'By status.', 'reqps', {
      '{{status}}': rate(`${REQUESTS}_count`, 'status'),
    }),
    graph('Requests by route', 'The ten busiest.', 'reqps', {
      '{{method}} {{route}}': `topk(10, ${rate(`${REQUESTS}_count`, 'method, route')})`,
    }),
    graph('Answer time, 95 %', 'The ten slowest routes, without event streams.', 's', {
      '{{method}} {{route}}': `topk(10, ${quantile(0.95, REQUESTS, ANSWERS, 'le, method, route')})`,
    }),
    graph('Failed requests', '5xx by route; 503 includes refusals for lack of slots.', 'reqps', {
      '{{method}} {{route}} {{status}}': rate(
        `${REQUESTS}_count{status=~"5.."}`,
        'method, route, status',
      ),
    }),
    graph('Refused sessions', 'No slot came free in time.', 'ops', {
      '{{reason}}': rate('troupe_rejections_total', 'reason'),
    }),
    graph('Webhook deliveries', '`retry` is tried again, `failed` is given up.', 'ops', {
      '{{result}}': rate('troupe_webhook_deliveries_total', 'result'),
    }),
    graph('Event loop lag, 99 %', 'All requests of the process wait this long.', 's', {
      '{{instance}}': 'nodejs_eventloop_lag_p99_seconds{job="troupe"}',
    }),
    graph('CPU', 'Cores used by each control plane.', 'short', {
      '{{instance}}': 'rate(process_cpu_seconds_total{job="troupe"}[$__rate_interval])',
    }),
    graph('Memory', 'Resident memory of each control plane.', 'bytes', {
      '{{instance}}': 'process_resident_memory_bytes{job="troupe"}',
    }),
    graph('Open files', 'Sockets of workers, clients and event streams.', 'short', {
      '{{instance}}': 'process_open_fds{job="troupe"}',
    }),
  ],
};
