import Type, { type Static } from 'typebox';
import { BlobHash, BuildPlacement } from './build-messages.ts';
import { END_REASONS } from '../end-reasons.ts';
import { Placement } from '../placement.ts';
import { Background, DRAWS_FRAMES, Framing, PLAIN_FRAME } from '../pictures/frames.ts';
import { QUESTIONS } from './questions.ts';
import { RoomSignal } from '../room-signals.ts';
import { OpenSegments, Transport } from './worker-messages.ts';

const Registered = Type.Object(
  {
    type: Type.Literal('registered'),
    protocol: Type.Optional(
      Type.Integer({
        description:
          'The newest version that both speak, which this connection has. Absent on older gateways: the oldest one of the worker.',
      }),
    ),
    pingEveryMs: Type.Integer({
      minimum: 1,
      description:
        'A worker that receives nothing for three intervals considers the connection dead.',
    }),
    beatEveryMs: Type.Optional(
      Type.Integer({
        minimum: 1,
        description:
          'Interval of `beat`. Absent: the gateway does not want beats, or does not know them.',
      }),
    ),
    keepsTimelines: Type.Optional(
      Type.Boolean({
        description: 'Whether the gateway accepts `noted`. Older gateways do not know the message.',
      }),
    ),
    takesBudgetEnds: Type.Optional(
      Type.Boolean({
        description:
          'Whether the gateway accepts `ended` with `budget_reached`. Older gateways close the connection; send them `time_limit` instead.',
      }),
    ),
    takesAbilities: Type.Optional(
      Type.Boolean({
        description:
          'Whether the gateway accepts `abilities`. Older gateways do not know the message.',
      }),
    ),
  },
  { description: 'Answers `register`. The worker may now be assigned sessions.' },
);

export const Video = Type.Object(
  {
    width: Type.Integer(),
    height: Type.Integer(),
    fps: Type.Integer(),
    framing: Type.Optional(Framing),
    background: Type.Optional({
      ...Background,
      description: 'Absent: the avatar’s own room.',
    }),
  },
  {
    description: `The frame. Without framing, the head is as high as the avatar’s own picture shows it. Anything but ${PLAIN_FRAME.width} x ${PLAIN_FRAME.height} at ${PLAIN_FRAME.fps} frames per second without framing and background only for workers with the ability \`${DRAWS_FRAMES}\`.`,
  },
);
export type Video = Static<typeof Video>;

const AssignedRoom = Type.Object({
  url: Type.String({
    description: 'With the transport `botroom`, a path of the control plane.',
  }),
  token: Type.String(),
  networks: Type.Optional(
    Type.String({
      description:
        'A caller chose the URL: connect only to public addresses and these networks, separated by commas. Without TLS, only to these networks. Absent: the operator’s media server, at any address. Older gateways never send it; older workers ignore it.',
    }),
  ),
});
export type AssignedRoom = Static<typeof AssignedRoom>;

const SpeechSource = Type.Object(
  {
    protocol: Type.Enum(['botroom', 'pipecat']),
    url: Type.String(),
    token: Type.Optional(Type.String()),
    networks: Type.Optional(Type.String()),
  },
  {
    description:
      'Where the speech comes from, if not from the room’s agent. `botroom`: a relay of the control plane; `url` is a path there. `pipecat`: a bot of the caller’s, which speaks Pipecat’s protobuf frames; `networks` as in `room`. Only for workers with the ability `speech_sources`.',
  },
);
export type SpeechSource = Static<typeof SpeechSource>;

export const Assign = Type.Object(
  {
    type: Type.Literal('assign'),
    placement: Placement,
    transport: Transport,
    room: AssignedRoom,
    speech: Type.Optional(SpeechSource),
    avatarId: Type.String(),
    bundle: Type.Optional({
      ...BlobHash,
      description: 'Blob to fetch and open. Absent: the worker has the avatar already.',
    }),
    video: Video,
    signals: Type.Optional(
      Type.Array(RoomSignal, {
        description: 'Data packets from the agent that control the face. Absent: none.',
      }),
    ),
    unanswered: Type.Optional({
      ...OpenSegments,
      description:
        'Positions of the segments that were open on the previous worker, or in the session whose seat this one takes, to be reported to the agent as interrupted. Absent: the agent is not known to send streams.',
    }),
    callId: Type.Optional(
      Type.String({
        description:
          'Hold the conversation of this call instead of showing a face. Only for `agent` workers.',
      }),
    ),
    traceparent: Type.Optional(
      Type.String({
        description:
          'W3C Trace Context: parent of the worker’s spans. Absent: the control plane traces nothing. Older workers ignore it.',
      }),
    ),
  },
  {
    description:
      'Perform this session. Answered by `accepted` or `refused`. A duplicate changes nothing.',
  },
);
export type Assign = Static<typeof Assign>;

export const End = Type.Object(
  {
    type: Type.Literal('end'),
    placement: Placement,
    reason: Type.Enum([...END_REASONS]),
  },
  {
    description:
      'Leave the room and report `ended` with this reason. Unknown placements are answered too.',
  },
);
export type End = Static<typeof End>;

export const Release = Type.Object(
  {
    type: Type.Literal('release'),
    placement: Placement,
    withinMs: Type.Number({ minimum: 0 }),
  },
  {
    description:
      'Another worker has a slot for the session. Stop at the next pause in speech, after `withinMs` at the latest, then send `released`. Only for workers that report `drainLeftMs`.',
  },
);
export type Release = Static<typeof Release>;

export const Drop = Type.Object(
  { type: Type.Literal('drop'), placement: Placement },
  {
    description:
      'Leave at once without a report: the epoch is stale, another worker performs the session.',
  },
);

export type Drop = Static<typeof Drop>;

export const LogLevel = Type.Enum(['debug', 'info', 'warn', 'error']);

const ChangePicture = Type.Object(
  {
    type: Type.Literal('change_picture'),
    placement: Placement,
    framing: Type.Optional(Framing),
    background: Type.Optional(Background),
    emotion: Type.Optional(
      Type.String({ maxLength: 60, description: 'As agents name it. Unknown ones are ignored.' }),
    ),
  },
  {
    description: `Change what is given, in the running session: the framing moves smoothly. A background that needs a track of another width (to or from \`transparent\`) is ignored. Only for workers with the ability \`${DRAWS_FRAMES}\`.`,
  },
);
export type ChangePicture = Static<typeof ChangePicture>;

const SetLogLevel = Type.Object(
  { type: Type.Literal('set_log_level'), level: LogLevel },
  {
    description:
      'Log from now on at this level, until the worker exits. Sessions that have begun may keep theirs.',
  },
);

/** Orders that the worker does not answer at once. */
export const ORDERS = [End, Release, Drop, ChangePicture, SetLogLevel] as const;
export type Order = Static<(typeof ORDERS)[number]>;

export const Build = Type.Object(
  {
    type: Type.Literal('build'),
    placement: BuildPlacement,
    name: Type.String(),
    picture: BlobHash,
    background: Type.String({ description: '`blur`, or a colour as `#rrggbb`.' }),
    backgroundPicture: Type.Optional({
      ...BlobHash,
      description: 'Replaces `background`. Older workers ignore it.',
    }),
  },
  {
    description:
      'Build a bundle from this picture; sessions have priority. Answered by `build_refused`, or finally by `built` or `build_failed`. A duplicate changes nothing.',
  },
);
export type Build = Static<typeof Build>;

const DropBuild = Type.Object(
  { type: Type.Literal('drop_build'), placement: BuildPlacement },
  {
    description: 'Stop the build without a report: the avatar was deleted, or is built elsewhere.',
  },
);

export type DropBuild = Static<typeof DropBuild>;

const Drain = Type.Object(
  { type: Type.Literal('drain') },
  {
    description:
      'Accept nothing new, finish running sessions, hand over those that take too long, then exit.',
  },
);

const Ack = Type.Object(
  { type: Type.Literal('ack'), id: Type.String() },
  { description: 'Report `id` is recorded or rejected for good. Remove it from the outbox.' },
);

const Ping = Type.Object(
  { type: Type.Literal('ping') },
  { description: 'Answered by `pong` at once.' },
);

/** All messages from the gateway. */
export const GatewayMessage = Type.Union([
  Registered,
  Assign,
  ...ORDERS,
  ...QUESTIONS,
  Build,
  DropBuild,
  Drain,
  Ack,
  Ping,
]);
export type GatewayMessage = Static<typeof GatewayMessage>;
