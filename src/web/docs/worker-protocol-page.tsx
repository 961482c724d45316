import './docs.css';
import { CLOSE, type CloseName } from '#protocol/close-codes.ts';
import {
  CLEAR_BUFFER,
  PLAYBACK_FINISHED,
  PUBLISH_ON_BEHALF,
  SPEECH_TOPIC,
} from '#protocol/room-terms.ts';
import { Code } from './code.tsx';
import { Meanings } from './meanings.tsx';

const environment = {
  CONTROL_URL: 'Address of the control plane; its gateway is the websocket at /worker-gateway.',
  WORKER_TOKEN: 'Sent as Authorization: Bearer when the socket opens.',
  WORKER_POOL: 'As pool in register. Not set: the default pool.',
  WORKER_SLOTS: 'Sessions at once, as slots in register. Offer at least two.',
  DRAIN_SECONDS: 'A drain may take that long.',
  DATA_DIR: 'For files of your own.',
};

const connection = {
  register:
    'Your first message on every connection. It names at least one avatar of /v1/avatars. After a break it also names the sessions that you still perform, and those whose end is not acknowledged.',
  ping: 'Answer pong at once. Without any message for three intervals, connect again.',
  beat: 'Every beatEveryMs while you have sessions, at once for the first, and a last time with 0. After about two seconds without one, your sessions are placed elsewhere.',
  load: 'Every five seconds and on every change.',
  'started, ended':
    'Send them again every five seconds, with the same id and a growing agoMs, until ack names the id. Keep them over a break.',
  drain:
    'Or SIGTERM: report load with draining, accept nothing more, finish your sessions, wait for the last ack, exit with 0.',
  'anything else':
    'Ignore messages and fields that you do not know, and what is not JSON: newer control planes send more.',
};

const session = {
  assign:
    'Answer accepted or refused within two seconds. The same placement again: answer again, and do nothing else. A newer epoch: drop the older one first.',
  'the room':
    'Join room.url with room.token, a LiveKit room. Publish one video track with the source camera and one audio track with the source microphone, without waiting for anyone. With the first frame, send started.',
  'the agent': `The participant named by your own attribute ${PUBLISH_ON_BEHALF}. When it has been away for ten seconds, leave and send ended with agent_left.`,
  [SPEECH_TOPIC]:
    'Byte streams from the agent: 16-bit PCM with sample_rate and num_channels. One stream is one segment. It comes faster than it plays: keep all of it, play in real time, one segment after the other.',
  [PLAYBACK_FINISHED]:
    'Call this RPC of the agent once for each segment, in order: {"playback_position": seconds, "interrupted": false}, with no other key. The position is what was played of this segment.',
  [CLEAR_BUFFER]:
    'The agent calls this RPC of yours: fall silent at once, answer ok, and report every open segment as interrupted. Ignore the rest of an interrupted stream.',
  speech:
    'Positions of the open segments, ten times a second while there are any. The next worker gets them as unanswered if you are lost.',
  'a later epoch':
    'You take over from a lost worker: first report each position in unanswered as interrupted, and one more at 0.',
  end: 'Leave the room, send ended with the given reason. Unknown placements too.',
  drop: 'Leave the room without a report: another worker has the session.',
};

const closings: Record<CloseName, string> = {
  service_stopping: 'The control plane stops. Connect again: another one may answer.',
  bad_message: 'A message of yours does not match the protocol.',
  not_registered: 'No register came in time.',
  wrong_token: 'The token is not valid for this worker. Stop.',
  wrong_protocol: 'No common protocol version. Stop.',
  silent: 'You answered no pings or sent no beats.',
  replaced: 'Another connection has your workerId. Stop.',
  token_revoked: 'Try again every half minute.',
};

const codes = Object.fromEntries(
  (Object.keys(closings) as CloseName[]).map((name) => [CLOSE[name].code, closings[name]]),
);

const checks = {
  join: 'Registers, accepts a session, joins its room with picture and sound.',
  speak: 'A viewer hears the speech and sees the face; the agent is told the position.',
  interruptions: 'A storm of interruptions: one true report for each, then whole speech again.',
  sessions: 'Two sessions at once: each room hears only its own.',
  'odd-messages': 'Malformed and unknown messages are ignored.',
  reconnect: 'A broken or silent connection is replaced, and the session goes on.',
  reports: 'Leaves after its agent; repeats what is not acknowledged.',
  'long-talk': 'A minute of speech in one segment, whole and in real time. With --long, ten.',
  heartbeat: 'Pongs, beats and load come in time.',
  drain: 'Finishes its session, then exits with 0.',
  kill: 'After kill -9, another worker takes the session over.',
  version: 'Refused for its version, it stops or tries again ever more slowly.',
};

const certify = `npm run conformance -- --cmd 'python worker.py'`;

const example = `cd deploy/examples/python-worker
python3 -m venv .venv
.venv/bin/pip install --require-hashes -r requirements.txt
CONTROL_URL=http://127.0.0.1:8080 WORKER_TOKEN=... .venv/bin/python worker.py`;

export function WorkerProtocolPage() {
  return (
    <article className="shell docs">
      <header>
        <h1>Write your own worker</h1>
        <p className="lede">
          A worker shows the faces. Yours may be in any language and use any renderer: it connects
          to the control plane by a websocket, and to rooms with LiveKit’s SDK.
        </p>
        <p>
          <a href="/worker-protocol.json">/worker-protocol.json</a> describes every message as
          AsyncAPI 3, from the schemas that the control plane itself uses. This page says what to do
          with them.
        </p>
      </header>

      <section aria-labelledby="example">
        <h2 id="example">An example</h2>
        <p>
          <code>deploy/examples/python-worker</code> has a whole worker in 150 lines of Python: a
          still picture with the agent’s voice.
        </p>
        <Code label="Run the example" text={example} />
      </section>

      <section aria-labelledby="environment">
        <h2 id="environment">Environment</h2>
        <p>These variables are given to every worker, also when it is certified.</p>
        <Meanings of={environment} />
      </section>

      <section aria-labelledby="connection">
        <h2 id="connection">The connection</h2>
        <p>
          Each websocket text message holds one JSON object. After a break, connect again with
          back-off, from a tenth of a second to two seconds: within four tenths, nobody notices.
        </p>
        <Meanings of={connection} />
      </section>

      <section aria-labelledby="session">
        <h2 id="session">A session</h2>
        <Meanings of={session} />
      </section>

      <section aria-labelledby="closing">
        <h2 id="closing">When the socket closes</h2>
        <Meanings of={codes} />
      </section>

      <section aria-labelledby="certify">
        <h2 id="certify">Certify it</h2>
        <p>
          The conformance kit runs your command against a real control plane and a real media server
          on your machine, and prints a table of outcomes. It exits with 0 if the worker conforms.
        </p>
        <Code label="Certify a worker" text={certify} />
        <Meanings of={checks} />
      </section>
    </article>
  );
}
