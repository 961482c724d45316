import Type, { type Static } from 'typebox';
import { END_REASONS } from './end-reasons.ts';
import { RoomSignal } from './room-signals.ts';
import { BlobHash, BuildPlacement, OpenSegments, Placement, Transport } from './worker-messages.ts';

/** Answers `register`. The worker may now be assigned sessions. */
const Registered = Type.Object({
  type: Type.Literal('registered'),
  /** A worker that receives nothing for three intervals considers the connection dead. */
  pingEveryMs: Type.Integer({ minimum: 1 }),
  /** Interval of `beat`. Absent: the gateway does not want beats, or does not know them. */
  beatEveryMs: Type.Optional(Type.Integer({ minimum: 1 })),
  /** Whether the gateway accepts `noted`. Older gateways do not know the message. */
  keepsTimelines: Type.Optional(Type.Boolean()),
});

export const Video = Type.Object({
  width: Type.Integer(),
  height: Type.Integer(),
  fps: Type.Integer(),
});
export type Video = Static<typeof Video>;

const AssignedRoom = Type.Object({
  url: Type.String(),
  token: Type.String(),
  /**
   * A caller chose the URL: connect only to public addresses and these networks, separated by
   * commas. Without TLS, only to these networks. Absent: the operator's media server, at any
   * address. Older gateways never send it; older workers ignore it.
   */
  networks: Type.Optional(Type.String()),
});
export type AssignedRoom = Static<typeof AssignedRoom>;

/**
 * Where the speech comes from, if not from the room's agent. `botroom`: a relay of the control
 * plane; `url` is a path there. `pipecat`: a bot of the caller's, which speaks Pipecat's protobuf
 * frames; `networks` as in `room`.
 */
const SpeechSource = Type.Object({
  protocol: Type.Enum(['botroom', 'pipecat']),
  url: Type.String(),
  token: Type.Optional(Type.String()),
  networks: Type.Optional(Type.String()),
});
export type SpeechSource = Static<typeof SpeechSource>;

/** Perform this session. Answered by `accepted` or `refused`. A duplicate changes nothing. */
export const Assign = Type.Object({
  type: Type.Literal('assign'),
  placement: Placement,
  transport: Transport,
  /** With the transport `botroom`, `url` is a path of the control plane. */
  room: AssignedRoom,
  /** Only for workers with the ability `speech_sources`. */
  speech: Type.Optional(SpeechSource),
  avatarId: Type.String(),
  /** Blob to fetch and open. Absent: the worker has the avatar already. */
  bundle: Type.Optional(BlobHash),
  video: Video,
  /** Data packets from the agent that control the face. Absent: none. */
  signals: Type.Optional(Type.Array(RoomSignal)),
  /**
   * Segments that were open on the previous worker, to be reported to the agent as interrupted.
   * Absent: the agent is not known to send streams. Older workers report one unheard segment.
   */
  unanswered: Type.Optional(OpenSegments),
  /** Hold the conversation of this call instead of showing a face. Only for `agent` workers. */
  callId: Type.Optional(Type.String()),
});
export type Assign = Static<typeof Assign>;

/** Leave the room and report `ended` with this reason. Unknown placements are answered too. */
export const End = Type.Object({
  type: Type.Literal('end'),
  placement: Placement,
  reason: Type.Enum([...END_REASONS]),
});
export type End = Static<typeof End>;

/**
 * Another worker has a slot for the session. Stop at the next pause in speech, after `withinMs` at
 * the latest, then send `released`. Only for workers that report `drainLeftMs`.
 */
export const Release = Type.Object({
  type: Type.Literal('release'),
  placement: Placement,
  withinMs: Type.Number({ minimum: 0 }),
});
export type Release = Static<typeof Release>;

/** Leave at once without a report: the epoch is stale, another worker performs the session. */
const Drop = Type.Object({ type: Type.Literal('drop'), placement: Placement });

/**
 * Build a bundle from this picture; sessions have priority. Answered by `build_refused`, or finally
 * by `built` or `build_failed`. A duplicate changes nothing.
 */
export const Build = Type.Object({
  type: Type.Literal('build'),
  placement: BuildPlacement,
  name: Type.String(),
  picture: BlobHash,
  /** `blur`, or a colour as `#rrggbb`. */
  background: Type.String(),
  /** Replaces `background`. Older workers ignore it. */
  backgroundPicture: Type.Optional(BlobHash),
});
export type Build = Static<typeof Build>;

/** Stop the build without a report: the avatar was deleted, or is built elsewhere. */
const DropBuild = Type.Object({ type: Type.Literal('drop_build'), placement: BuildPlacement });

/** Accept nothing new, finish running sessions, hand over those that take too long, then exit. */
const Drain = Type.Object({ type: Type.Literal('drain') });

/** Report `id` is recorded or rejected for good. Remove it from the outbox. */
const Ack = Type.Object({ type: Type.Literal('ack'), id: Type.String() });

const Ping = Type.Object({ type: Type.Literal('ping') });

/** All messages from the gateway. */
export const GatewayMessage = Type.Union([
  Registered,
  Assign,
  End,
  Release,
  Drop,
  Build,
  DropBuild,
  Drain,
  Ack,
  Ping,
]);
export type GatewayMessage = Static<typeof GatewayMessage>;
