import './docs.css';
import scaledObject from '../../../deploy/kubernetes/scaled-object.yaml?raw';
import type { Refusal, WorkerState } from '../../fleet/fleet.ts';
import { FLEET_METRICS, SESSION_METRICS } from '#protocol/metric-names.ts';
import { DIFFERENCES } from '../../sessions/reconciliation/diff.ts';
import type { EndReason } from '../../protocol/end-reasons.ts';
import { TIMELINE } from '../../protocol/timeline.ts';
import { Code } from './code.tsx';
import { Meanings } from './meanings.tsx';

const states: Record<WorkerState, string> = {
  ready: 'It is offered sessions.',
  late: 'Its frames do not keep time, whatever its slots say. It is offered nothing until they do again.',
  resting:
    'It declined a session or did not answer. It is left alone for a moment, and the next one is tried.',
  draining: 'It takes nothing new, finishes what runs, and stops.',
};

const reasons: Record<Refusal, string> = {
  full: 'Those that could show the avatar have no slot to give. Answered after the wait.',
  draining: 'All that could show it are about to stop. Answered after the wait.',
  no_worker_for_avatar:
    'No connected worker could ever show it: none is of the pool, or none has the face. Answered at once, but for the first seconds after a start and after a worker has left.',
  no_agent_worker:
    'Of a call: no agent worker of the pool is connected that could hold the conversation. Answered as quickly.',
};

const endReasons: Record<EndReason, string> = {
  agent_left: 'The voice agent left the room and did not come back.',
  room_empty: 'Nobody was left in the room.',
  room_closed: 'The room was closed.',
  room_refused: 'The room did not let the avatar in.',
  removed: 'Somebody removed the avatar from the room.',
  replaced: 'Another participant came under its identity.',
  ended_by_client: 'It was ended through the API.',
  time_limit: 'It lasted as long as it may.',
  never_started: 'The face did not come within a minute.',
  token_expired: 'It had to be placed again, and its room token was no longer valid.',
  worker_lost: 'Its worker was lost, and no slot came free elsewhere in 15 seconds.',
  service_stopped: 'Its worker was stopped at once.',
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
  -H 'content-type: application/json' -d '{"name": "rack 7"}'`;

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
          Workers perform the sessions. Add them, take them away, and see what they do, while
          sessions go on.
        </p>
      </header>

      <section aria-labelledby="add">
        <h2 id="add">Add a worker</h2>
        <p>
          Anywhere from where the control plane and the rooms can be reached. It connects outwards,
          offers its slots, and is given sessions at once.
        </p>
        <Code label="Start a worker" text={workerLines(location.origin)} />
        <p>
          <code>MALLOC_ARENA_MAX=2</code> is for Linux, where each of the media engine’s threads
          otherwise keeps for itself what it has freed. <code>npm start</code> sets it too.
        </p>
        <p>
          Its token is the service’s own <code>WORKER_TOKEN</code>, or one that you make for it and
          can take back: <code>DELETE /v1/fleet/worker-tokens/ID</code> ends its connections at
          once, and its sessions go on elsewhere. All of <code>/v1/fleet</code> wants a key of the
          scope <code>operator</code>, from the first line below or from <code>/admin</code>.
        </p>
        <Code label="Make a worker token" text={tokenLines(location.origin)} />
      </section>

      <section aria-labelledby="choice">
        <h2 id="choice">Which worker takes a session</h2>
        <p>
          One that has the face, speaks the transport, is of the right pool, and has a slot to give.
          Of these, with <code>PLACEMENT=spread</code>, the least full; with <code>pack</code> the
          fullest, so that others come free and may go.
        </p>
        <p>
          A pool is a label: <code>WORKER_POOL</code> of a worker, <code>pool</code> of an account
          under <code>/admin</code>. An account’s sessions are performed by workers of its pool and
          by no others. Whoever has none, worker or account, is of <code>default</code>.
        </p>
        <p>
          <code>GET /v1/fleet/workers</code> says in which state each one is.
        </p>
        <Meanings of={states} />
      </section>

      <section aria-labelledby="wait">
        <h2 id="wait">When there is no slot</h2>
        <p>
          A request waits for <code>SLOT_WAIT_MS</code>, two seconds unless set, and at most{' '}
          <code>MAX_WAITING</code> of them. Sessions that have lost their worker come first; then
          accounts have their turns, however much one of them asks for. Then the answer is 503 with{' '}
          <code>Retry-After</code> and a <code>reason</code>.
        </p>
        <Meanings of={reasons} />
      </section>

      <section aria-labelledby="drain">
        <h2 id="drain">Take a worker away</h2>
        <Code label="Drain a worker" text={drainLine(location.origin)} />
        <p>
          <code>SIGTERM</code> does the same. It takes nothing new, and stops when its last session
          is over. After <code>DRAIN_SECONDS</code> what still runs is handed to other workers.
        </p>
        <p>
          With <code>RENEW_AFTER_SESSIONS</code> a worker that has performed so many exits by itself
          in the next moment in which it performs none, for whoever starts it again:{' '}
          <code>npm start</code> does so, after 500. The media server’s client keeps half a megabyte
          of each session.
        </p>
      </section>

      <section aria-labelledby="several">
        <h2 id="several">Several control planes</h2>
        <p>
          With <code>REDIS_URL</code>, control planes share workers, slots and sessions: any of them
          answers for all, behind a load balancer, and a worker may connect to any. They share{' '}
          <code>DATABASE_URL</code>, <code>TROUPE_SECRET_KEY</code> and <code>WORKER_TOKEN</code>{' '}
          too.
        </p>
        <Code label="Start another control plane" text={controlLines} />
        <p>
          When one of them is killed its workers connect to another, and its sessions are taken up
          within some seconds: nobody in a room notices. While Redis or PostgreSQL is away sessions
          go on, and new ones are answered with 503; what Redis forgot it is told again, and what
          could not be recorded workers say until it is.
        </p>
      </section>

      <section aria-labelledby="scale">
        <h2 id="scale">Scale</h2>
        <p>
          <code>GET /v1/fleet/pressure</code> says how many workers there should be, and the gauge{' '}
          <code>troupe_wanted_workers</code> says the same.
        </p>
        <Code label="The pressure" text={pressure} />
        <p>
          It is counted in slots, never in load of a processor: those that stay, and as many more as
          it takes for everybody who waits to get a slot and for <code>WARM_SLOTS</code> to be free
          besides; one more when somebody has waited for a second, whatever is free; one fewer when
          all slots of a worker are free beyond that. With <code>WARM_SLOTS=0</code> a fleet of none
          stays one of none.
        </p>
        <p>
          Each pool is counted by itself, and what stands outside <code>pools</code> is the sum:
          whoever starts the workers of one pool asks for <code>?pool=NAME</code>, which has an
          answer also while none of them is there. With KEDA:
        </p>
        <Code label="deploy/kubernetes/scaled-object.yaml" text={scaledObject.trim()} />
      </section>

      <section aria-labelledby="audit">
        <h2 id="audit">Audit</h2>
        <p>
          <code>GET /v1/fleet/audit</code> compares the slots that are held, the sessions that go
          on, the rows of the records, what workers say they perform, and the rooms that are open,
          and names each difference. What is new may be on its way; what stays is repaired within
          two minutes, or by <code>POST /v1/fleet/audit/repair</code>.
        </p>
        <Meanings of={DIFFERENCES} />
      </section>

      <section aria-labelledby="timeline">
        <h2 id="timeline">What happened in a session</h2>
        <p>
          <code>GET /v1/sessions/ID/timeline</code>, with the account’s key: each entry with its
          time and what belongs to its kind, a thousand at most. Workers tell their part of it with
          how long ago it was, so clocks need not agree. What a process took with it when it was
          killed is missing; a worker of an earlier version tells none of its part.
        </p>
        <Meanings of={timeline} />
      </section>

      <section aria-labelledby="metrics">
        <h2 id="metrics">Metrics</h2>
        <p>
          At <code>/metrics</code>, for Prometheus: to this machine without a key, to others with
          one of the scope <code>operator</code>. How far sound and picture are apart when they
          arrive is seen by viewers only: <code>npm run bench</code> measures it.
        </p>
        <Meanings of={{ ...FLEET_METRICS, ...SESSION_METRICS }} />
      </section>

      <section aria-labelledby="ends">
        <h2 id="ends">Why sessions end</h2>
        <p>
          The <code>end_reason</code> of a session, in its body, its webhook and{' '}
          <code>troupe_sessions_total</code>.
        </p>
        <Meanings of={endReasons} />
      </section>
    </article>
  );
}
