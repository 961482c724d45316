import './docs.css';
import type { Refusal, WorkerState } from '../../fleet/fleet.ts';
import {
  BOTROOM_METRICS,
  CANARY_METRICS,
  CALL_METRICS,
  FLEET_METRICS,
  SESSION_METRICS,
} from '#protocol/metric-names.ts';
import { DIFFERENCES } from '../../sessions/reconciliation/diff.ts';
import type { EndReason } from '#protocol/end-reasons.ts';
import { TIMELINE } from '#protocol/timeline.ts';
import { Code } from './code.tsx';
import { Meanings } from './meanings.tsx';

const states: Record<WorkerState, string> = {
  ready: 'The worker accepts sessions.',
  late: 'Its frames are late, even if it has free slots. It gets no sessions until it catches up.',
  resting:
    'It refused a session or did not respond. It is skipped for a moment, and the next worker is tried.',
  draining: 'It accepts nothing new, finishes its sessions, and stops.',
};

const reasons: Record<Refusal, string> = {
  full: 'All workers that can show the avatar are full. Sent after the wait.',
  draining: 'All workers that can show the avatar are draining. Sent after the wait.',
  no_worker_for_avatar:
    'No connected worker can show the avatar: none belongs to the pool, or none has the avatar. Sent at once, except in the first seconds after a start or after a worker has left.',
  no_agent_worker:
    'For calls: no connected agent worker of the pool can hold the conversation. Sent as quickly.',
};

const endReasons: Record<EndReason, string> = {
  agent_left: 'The voice agent left the room and did not return.',
  room_empty: 'Everyone left the room.',
  room_closed: 'The room was closed.',
  room_refused: 'The room rejected the avatar.',
  removed: 'The avatar was removed from the room.',
  replaced: 'Another participant joined with the avatar’s identity.',
  ended_by_client: 'The session was ended through the API.',
  time_limit: 'The session reached its maximum length.',
  never_started: 'The avatar did not appear within a minute.',
  token_expired: 'The session needed another worker, but its room token had expired.',
  worker_lost: 'The worker was lost, and no other slot became free within 15 seconds.',
  service_stopped: 'The worker was stopped at once.',
};

const timeline = Object.fromEntries(
  Object.entries(TIMELINE).map(([kind, { meaning }]) => [kind, meaning]),
);

const workerLines = (origin: string): string =>
  `CONTROL_URL=${origin} WORKER_TOKEN=$TOKEN WORKER_SLOTS=8 MALLOC_ARENA_MAX=2 npm run worker`;

const controlLines = `REDIS_URL=redis://redis:6379 DATABASE_URL=postgres://records/troupe \\
  TROUPE_SECRET_KEY=$SECRET WORKER_TOKEN=$TOKEN npm run control`;

const tokenLines = (origin: string): string => `npm run key -- --name operator --scope operator

curl ${origin}/v1/fleet/worker-tokens -H "x-api-key: $OPERATOR_KEY" \\
  -H 'content-type: application/json' -d '{"name": "rack 7", "kind": "avatar", "pool": "gpu"}'`;

const drainLine = (origin: string): string =>
  `curl -X POST ${origin}/v1/fleet/workers/$ID/drain -H "x-api-key: $OPERATOR_KEY"`;

const pressure = `{
  "wanted_workers": 3,
  "free_slots": 1, "warm_slots": 4,
  "queue_depth": 2, "queue_oldest_seconds": 0.4,
  "agents": { "wanted_workers": 1, "free_slots": 12, ... },
  "pools": [
    { "pool": "default", "wanted_workers": 2, ... },
    { "pool": "gpu", "wanted_workers": 1, ... }
  ]
}`;

export function FleetPage() {
  return (
    <article className="shell docs">
      <header>
        <h1>The fleet</h1>
        <p className="lede">
          Workers perform the sessions. You can add, remove and monitor them while sessions
          continue.
        </p>
      </header>

      <section aria-labelledby="add">
        <h2 id="add">Add a worker</h2>
        <p>
          Start a worker on any machine that can reach the control plane and the rooms. It connects
          to the control plane, offers its slots, and receives sessions at once.
        </p>
        <Code label="Start a worker" text={workerLines(location.origin)} />
        <p>
          <code>MALLOC_ARENA_MAX=2</code> limits memory use on Linux, where each thread of the media
          engine otherwise holds on to freed memory. <code>npm start</code> sets it too.
        </p>
        <p>
          The token is the service’s <code>WORKER_TOKEN</code>, or a token of its own that you can
          revoke: <code>DELETE /v1/fleet/worker-tokens/ID</code> closes its connections at once, and
          its sessions move to other workers. With <code>kind</code> or <code>pool</code> it admits
          only such workers. A worker’s id belongs to its process: no other worker can register
          under it, and reports on a session count only from the worker that holds it. Everything
          under <code>/v1/fleet</code> requires a key with the scope <code>operator</code>, created
          by the first line below or under <code>/admin</code>.
        </p>
        <Code label="Create a worker token" text={tokenLines(location.origin)} />
      </section>

      <section aria-labelledby="choice">
        <h2 id="choice">Which worker takes a session</h2>
        <p>
          A session goes to a worker that has the avatar, supports the transport, belongs to the
          right pool, and has a free slot. <code>PLACEMENT=spread</code> chooses the least loaded of
          these workers; <code>PLACEMENT=pack</code> chooses the fullest, so that other workers
          become idle and can be removed.
        </p>
        <p>
          A pool is a label: <code>WORKER_POOL</code> sets it for a worker, and <code>pool</code>{' '}
          under <code>/admin</code> for an account. Only workers of an account’s pool perform its
          sessions. Workers and accounts without a pool belong to <code>default</code>.
        </p>
        <p>
          <code>GET /v1/fleet/workers</code> returns the state of each worker.
        </p>
        <Meanings of={states} />
      </section>

      <section aria-labelledby="wait">
        <h2 id="wait">When no slot is free</h2>
        <p>
          A request waits up to <code>SLOT_WAIT_MS</code> (default: two seconds) for a slot, and at
          most <code>MAX_WAITING</code> requests wait. Sessions that lost their worker come first.
          After that, accounts take turns, no matter how many requests one of them sends. When the
          wait is over, the response is 503 with <code>Retry-After</code> and a <code>reason</code>.
        </p>
        <Meanings of={reasons} />
      </section>

      <section aria-labelledby="drain">
        <h2 id="drain">Remove a worker</h2>
        <Code label="Drain a worker" text={drainLine(location.origin)} />
        <p>
          <code>SIGTERM</code> does the same. The worker accepts nothing new, and stops after its
          last session. After <code>DRAIN_SECONDS</code>, it hands its remaining sessions to other
          workers.
        </p>
        <p>
          The media server’s client leaks half a megabyte per session. With{' '}
          <code>RENEW_AFTER_SESSIONS</code>, a worker exits after that many sessions, as soon as it
          is idle, so that your process manager restarts it. <code>npm start</code> does this after
          500 sessions.
        </p>
      </section>

      <section aria-labelledby="several">
        <h2 id="several">Several control planes</h2>
        <p>
          With <code>REDIS_URL</code>, control planes share workers, slots and sessions. Put them
          behind a load balancer: each one answers for all, and a worker may connect to any of them.
          They must also share <code>DATABASE_URL</code>, <code>TROUPE_SECRET_KEY</code> and{' '}
          <code>WORKER_TOKEN</code>. Each one passes the sockets of botrooms on to the one that made
          the room, at its <code>NODE_URL</code>: set it where the others reach this machine by
          another address than its first one, or by TLS.
        </p>
        <Code label="Start another control plane" text={controlLines} />
        <p>
          If a control plane is killed, its workers connect to another one, which takes over its
          sessions within seconds. People in the rooms notice nothing. While Redis or PostgreSQL is
          unavailable, running sessions continue and new ones get a 503. Data lost in Redis is
          restored, and workers repeat their reports until they are recorded.
        </p>
      </section>

      <section aria-labelledby="scale">
        <h2 id="scale">Scale</h2>
        <p>
          <code>GET /v1/fleet/pressure</code> returns the number of workers needed. The gauge{' '}
          <code>troupe_wanted_workers</code> has the same value.
        </p>
        <Code label="The pressure" text={pressure} />
        <p>
          The number is based on slots, not on CPU load. It covers the current workers, plus enough
          slots for all waiting requests and for <code>WARM_SLOTS</code> free slots. It rises by one
          when a request has waited for a second, whatever is free, and falls by one when a whole
          worker is idle beyond that. With <code>WARM_SLOTS=0</code>, an empty fleet stays empty.
        </p>
        <p>
          Each pool is counted separately; the values outside <code>pools</code> are sums. To scale
          one pool, use <code>?pool=NAME</code>, which also answers while the pool has no workers.
          On Kubernetes, <a href="/docs/kubernetes">the Helm chart</a> does so with KEDA.
        </p>
      </section>

      <section aria-labelledby="audit">
        <h2 id="audit">Audit</h2>
        <p>
          <code>GET /v1/fleet/audit</code> compares held slots, running sessions, stored records,
          the reports of workers, and open rooms, and lists each difference. A new difference may
          resolve by itself. A lasting one is repaired within two minutes, or at once by{' '}
          <code>POST /v1/fleet/audit/repair</code>.
        </p>
        <Meanings of={DIFFERENCES} />
      </section>

      <section aria-labelledby="timeline">
        <h2 id="timeline">Session timeline</h2>
        <p>
          <code>GET /v1/sessions/ID/timeline</code>, with the account’s key, returns up to a
          thousand entries, each with a time and the fields of its kind. Workers report the age of
          events, so clocks need not agree. Entries that a killed process had not sent are missing.
          Older workers send none.
        </p>
        <Meanings of={timeline} />
      </section>

      <section aria-labelledby="metrics">
        <h2 id="metrics">Metrics</h2>
        <p>
          <code>/metrics</code> serves Prometheus. It needs a key with the scope{' '}
          <code>operator</code>; on this machine none, unless <code>PUBLIC_URL</code>,{' '}
          <code>CHAT_URL</code> or <code>TRUSTED_PROXIES</code> is set. The offset between audio and
          video at the viewer cannot be measured here; <code>npm run bench</code> measures it.
        </p>
        <Meanings
          of={{
            ...FLEET_METRICS,
            ...SESSION_METRICS,
            ...CALL_METRICS,
            ...BOTROOM_METRICS,
            ...CANARY_METRICS,
          }}
        />
      </section>

      <section aria-labelledby="ends">
        <h2 id="ends">Why sessions end</h2>
        <p>
          The <code>end_reason</code> of a session appears in the API, in webhooks and in{' '}
          <code>troupe_sessions_total</code>. Where a room could not be joined,{' '}
          <code>end_detail</code> says why.
        </p>
        <Meanings of={endReasons} />
      </section>
    </article>
  );
}
